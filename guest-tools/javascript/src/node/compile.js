// The engine runs a script in the scope of who asks for it, so that who asks is a function without a scope of its own.
globalThis.__compile = function (text, path) { return __host.compile(text, path); };
globalThis.__builtin = function (name) { return __host.builtin(name); };

/* A sandbox in a C program, with wasmtime's C API: example SANDBOX_WASM */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wasmtime.h>

#define INTERFACE "offshoot:sandbox/sandbox@0.1.0"

typedef wasmtime_component_val_t value;

/* An instance of the component. All its sandboxes share one linear memory. */
static wasmtime_context_t *context;
static wasmtime_component_instance_t instance;
static wasmtime_component_export_index_t *interface;

/* Ends the program where the engine, not the sandbox, refuses. */
static void check(const char *what, wasmtime_error_t *error) {
  if (error == NULL)
    return;
  wasm_name_t message;
  wasmtime_error_message(error, &message);
  fprintf(stderr, "%s: %.*s\n", what, (int)message.size, message.data);
  exit(1);
}

static void *there(const char *what, void *pointer) {
  if (pointer == NULL) {
    fprintf(stderr, "%s: not there\n", what);
    exit(1);
  }
  return pointer;
}

/* ---- Values: each function makes one that `call` or `wasmtime_component_val_delete` frees. */

static value text(const char *string) {
  value made = {.kind = WASMTIME_COMPONENT_STRING};
  wasm_name_new_from_string(&made.of.string, string);
  return made;
}

static value list(size_t size) {
  value made = {.kind = WASMTIME_COMPONENT_LIST};
  wasmtime_component_vallist_new_uninit(&made.of.list, size);
  return made;
}

static value bytes(const char *string) {
  value made = list(strlen(string));
  for (size_t i = 0; i < made.of.list.size; i++)
    made.of.list.data[i] = (value){.kind = WASMTIME_COMPONENT_U8, .of.u8 = (uint8_t)string[i]};
  return made;
}

static value none(void) { return (value){.kind = WASMTIME_COMPONENT_OPTION, .of.option = NULL}; }

static value some(value inner) {
  return (value){.kind = WASMTIME_COMPONENT_OPTION, .of.option = wasmtime_component_val_new(&inner)};
}

static value record(size_t size) {
  value made = {.kind = WASMTIME_COMPONENT_RECORD};
  wasmtime_component_valrecord_new_uninit(&made.of.record, size);
  return made;
}

static void field(value *record, size_t nth, const char *name, value content) {
  wasm_name_new_from_string(&record->of.record.data[nth].name, name);
  record->of.record.data[nth].val = content;
}

/* The sandbox for one call; it stays the caller's. */
static value borrow(const value *sandbox) {
  value made = {.kind = WASMTIME_COMPONENT_RESOURCE};
  made.of.resource = wasmtime_component_resource_any_clone(sandbox->of.resource);
  return made;
}

/* Prints a `list<u8>`. */
static void print(const value *list) {
  for (size_t i = 0; i < list->of.list.size; i++)
    putchar(list->of.list.data[i].of.u8);
}

/* ---- The interface. */

/* Calls a function and frees the arguments. Where it returns a `result`, `returned` is what is in it,
   and the answer whether that is the value or the error. */
static bool call(const char *name, size_t count, value *arguments, value *returned) {
  wasmtime_component_export_index_t *index =
      there(name, wasmtime_component_instance_get_export_index(&instance, context, interface, name, strlen(name)));
  wasmtime_component_func_t function;
  if (!wasmtime_component_instance_get_func(&instance, context, index, &function))
    there(name, NULL);
  wasmtime_component_export_index_delete(index);
  value result = {.kind = WASMTIME_COMPONENT_BOOL};
  check(name, wasmtime_component_func_call(&function, context, arguments, count, &result, 1));
  for (size_t i = 0; i < count; i++)
    wasmtime_component_val_delete(&arguments[i]);
  if (result.kind != WASMTIME_COMPONENT_RESULT) {
    *returned = result;
    return true;
  }
  *returned = (value){.kind = WASMTIME_COMPONENT_BOOL};
  value *inner = result.of.result.val;
  if (inner != NULL) {
    *returned = *inner;
    inner->kind = WASMTIME_COMPONENT_BOOL; /* Its content has moved out. */
    wasmtime_component_val_free(inner);
  }
  return result.of.result.is_ok;
}

/* A sandbox with one variable. */
static value create(const char *variable, const char *content) {
  value pair = {.kind = WASMTIME_COMPONENT_TUPLE};
  wasmtime_component_valtuple_new_uninit(&pair.of.tuple, 2);
  pair.of.tuple.data[0] = text(variable);
  pair.of.tuple.data[1] = text(content);
  value environment = list(1);
  environment.of.list.data[0] = pair;
  value options = record(6), sandbox;
  field(&options, 0, "environment", environment);
  field(&options, 1, "directory", none());
  field(&options, 2, "max-bytes", none());
  field(&options, 3, "max-inodes", none());
  field(&options, 4, "budgets", none());
  field(&options, 5, "seed", none());
  if (!call("[static]sandbox.create", 1, &options, &sandbox))
    there("a sandbox", NULL);
  return sandbox;
}

static void drop(value *sandbox) {
  check("drop", wasmtime_component_resource_any_drop(context, sandbox->of.resource));
  wasmtime_component_val_delete(sandbox);
}

/* Runs a script, prints its output and returns its status. `milliseconds` may be 0: without a limit. */
static int run(const value *sandbox, const char *script, const char *input, uint64_t milliseconds) {
  value limit = {.kind = WASMTIME_COMPONENT_U64, .of.u64 = milliseconds};
  value options = record(4), result;
  field(&options, 0, "directory", none());
  field(&options, 1, "environment", list(0));
  field(&options, 2, "stdin", bytes(input));
  field(&options, 3, "timeout-ms", milliseconds ? some(limit) : none());
  value arguments[] = {borrow(sandbox), text(script), options};
  if (!call("[method]sandbox.exec", 3, arguments, &result))
    there("a result", NULL);
  int status = result.of.record.data[0].val.of.u8;
  print(&result.of.record.data[1].val);
  wasmtime_component_val_delete(&result);
  return status;
}

static void write_file(const value *sandbox, const char *path, const char *content) {
  value arguments[] = {borrow(sandbox), text(path), bytes(content)}, nothing;
  if (!call("[method]sandbox.write-file", 3, arguments, &nothing))
    there(path, NULL);
}

/* Prints a file, or why it cannot be read: the case of the error, and of the one in it. */
static void print_file(const value *sandbox, const char *path) {
  value arguments[] = {borrow(sandbox), text(path)}, content;
  if (call("[method]sandbox.read-file", 2, arguments, &content)) {
    printf("%s ", path);
    print(&content);
  } else {
    wasm_name_t *variant = &content.of.variant.discriminant;
    wasm_name_t *errno_name = &content.of.variant.val->of.enumeration;
    printf("%.*s: %.*s\n", (int)variant->size, variant->data, (int)errno_name->size, errno_name->data);
  }
  wasmtime_component_val_delete(&content);
}

static wasmtime_component_t *compile(wasm_engine_t *engine, const char *path) {
  FILE *file = there(path, fopen(path, "rb"));
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  uint8_t *wasm = there("memory", malloc(size));
  if (fread(wasm, 1, size, file) != size)
    there(path, NULL);
  fclose(file);
  wasmtime_component_t *component;
  check(path, wasmtime_component_new(engine, wasm, size, &component));
  free(wasm);
  return component;
}

int main(int count, char **arguments) {
  wasm_engine_t *engine = wasm_engine_new();
  wasmtime_component_t *component = compile(engine, there("SANDBOX_WASM", count > 1 ? arguments[1] : NULL));
  wasmtime_store_t *store = wasmtime_store_new(engine, NULL, NULL);
  context = wasmtime_store_context(store);
  /* No file, no variable and no stream of this process. */
  check("WASI", wasmtime_context_set_wasi(context, wasi_config_new()));
  wasmtime_component_linker_t *linker = wasmtime_component_linker_new(engine);
  check("WASI", wasmtime_component_linker_add_wasip2(linker));
  check("instance", wasmtime_component_linker_instantiate(linker, context, component, &instance));
  interface = there(INTERFACE, wasmtime_component_instance_get_export_index(&instance, context, NULL, INTERFACE, strlen(INTERFACE)));

  value sandbox = create("LEVEL", "error");
  write_file(&sandbox, "log.jsonl",
             "{\"level\": \"error\", \"service\": \"search\"}\n"
             "{\"level\": \"info\", \"service\": \"search\"}\n"
             "{\"level\": \"error\", \"service\": \"billing\"}\n"
             "{\"level\": \"error\", \"service\": \"search\"}\n");
  int status = run(&sandbox, "grep \"$LEVEL\" log.jsonl | jq -r .service | sort | uniq -c | sort -rn", "", 0);
  printf("status %d\n", status);

  value self = borrow(&sandbox), fork;
  call("[method]sandbox.fork", 1, &self, &fork);
  run(&fork, "head -n 1 log.jsonl >> log.jsonl; cat > note", "of the fork\n", 0);
  run(&sandbox, "echo sandbox has $(wc -l < log.jsonl) lines", "", 0);
  run(&fork, "echo fork has $(wc -l < log.jsonl) lines", "", 0);
  print_file(&fork, "note");
  print_file(&sandbox, "note");

  printf("endless %d\n", run(&sandbox, "while :; do :; done", "", 50));
  drop(&fork);
  drop(&sandbox);

  wasmtime_component_export_index_delete(interface);
  wasmtime_component_linker_delete(linker);
  wasmtime_store_delete(store);
  wasmtime_component_delete(component);
  wasm_engine_delete(engine);
  return 0;
}

//! The options of `set` and `shopt`.

use offshoot_shell_language::codec::{Codec, Context, Read, Reader, Writer};

macro_rules! options {
    ($(#[$doc:meta])* $type:ident { $($variant:ident $name:literal $letter:expr, $default:literal;)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $type {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl $type {
            /// All, in the order in which bash lists them.
            pub const ALL: &[$type] = &[$($type::$variant),*];

            /// The name.
            pub const fn name(self) -> &'static str {
                match self { $($type::$variant => $name,)* }
            }

            /// The letter, where it has one.
            pub const fn letter(self) -> Option<u8> {
                match self { $($type::$variant => $letter,)* }
            }

            const DEFAULTS: u64 = $(($default as u64) << $type::$variant as u32)|*;

            /// The option with this name.
            pub fn find(name: &[u8]) -> Option<$type> {
                $type::ALL.iter().copied().find(|option| option.name().as_bytes() == name)
            }
        }
    };
}

options! {
    /// An option of `set -o`.
    SetOption {
        Allexport "allexport" Some(b'a'), false;
        Braceexpand "braceexpand" Some(b'B'), true;
        Emacs "emacs" None, false;
        Errexit "errexit" Some(b'e'), false;
        Errtrace "errtrace" Some(b'E'), false;
        Functrace "functrace" Some(b'T'), false;
        Hashall "hashall" Some(b'h'), true;
        Histexpand "histexpand" Some(b'H'), false;
        History "history" None, false;
        Ignoreeof "ignoreeof" None, false;
        InteractiveComments "interactive-comments" None, true;
        Keyword "keyword" Some(b'k'), false;
        Monitor "monitor" Some(b'm'), false;
        Noclobber "noclobber" Some(b'C'), false;
        Noexec "noexec" Some(b'n'), false;
        Noglob "noglob" Some(b'f'), false;
        Nolog "nolog" None, false;
        Notify "notify" Some(b'b'), false;
        Nounset "nounset" Some(b'u'), false;
        Onecmd "onecmd" Some(b't'), false;
        Physical "physical" Some(b'P'), false;
        Pipefail "pipefail" None, false;
        Posix "posix" None, false;
        Privileged "privileged" Some(b'p'), false;
        Verbose "verbose" Some(b'v'), false;
        Vi "vi" None, false;
        Xtrace "xtrace" Some(b'x'), false;
    }
}

options! {
    /// An option of `shopt`.
    Shopt {
        Autocd "autocd" None, false;
        AssocExpandOnce "assoc_expand_once" None, false;
        CdableVars "cdable_vars" None, false;
        Cdspell "cdspell" None, false;
        Checkhash "checkhash" None, false;
        Checkjobs "checkjobs" None, false;
        Checkwinsize "checkwinsize" None, true;
        Cmdhist "cmdhist" None, true;
        Compat31 "compat31" None, false;
        Compat32 "compat32" None, false;
        Compat40 "compat40" None, false;
        Compat41 "compat41" None, false;
        Compat42 "compat42" None, false;
        Compat43 "compat43" None, false;
        Compat44 "compat44" None, false;
        CompleteFullquote "complete_fullquote" None, true;
        Direxpand "direxpand" None, false;
        Dirspell "dirspell" None, false;
        Dotglob "dotglob" None, false;
        Execfail "execfail" None, false;
        ExpandAliases "expand_aliases" None, false;
        Extdebug "extdebug" None, false;
        Extglob "extglob" None, false;
        Extquote "extquote" None, true;
        Failglob "failglob" None, false;
        ForceFignore "force_fignore" None, true;
        Globasciiranges "globasciiranges" None, true;
        Globskipdots "globskipdots" None, true;
        Globstar "globstar" None, false;
        GnuErrfmt "gnu_errfmt" None, false;
        Histappend "histappend" None, false;
        Histreedit "histreedit" None, false;
        Histverify "histverify" None, false;
        Hostcomplete "hostcomplete" None, true;
        Huponexit "huponexit" None, false;
        InheritErrexit "inherit_errexit" None, false;
        InteractiveComments "interactive_comments" None, true;
        Lastpipe "lastpipe" None, false;
        Lithist "lithist" None, false;
        LocalvarInherit "localvar_inherit" None, false;
        LocalvarUnset "localvar_unset" None, false;
        LoginShell "login_shell" None, false;
        Mailwarn "mailwarn" None, false;
        NoEmptyCmdCompletion "no_empty_cmd_completion" None, false;
        Nocaseglob "nocaseglob" None, false;
        Nocasematch "nocasematch" None, false;
        NoexpandTranslation "noexpand_translation" None, false;
        Nullglob "nullglob" None, false;
        PatsubReplacement "patsub_replacement" None, true;
        Progcomp "progcomp" None, true;
        ProgcompAlias "progcomp_alias" None, false;
        Promptvars "promptvars" None, true;
        RestrictedShell "restricted_shell" None, false;
        ShiftVerbose "shift_verbose" None, false;
        Sourcepath "sourcepath" None, true;
        VarredirClose "varredir_close" None, false;
        XpgEcho "xpg_echo" None, false;
    }
}

/// The state of all options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    set: u64,
    shopt: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            set: SetOption::DEFAULTS,
            shopt: Shopt::DEFAULTS,
        }
    }
}

/// The bit of `set -r`, which is no option of `set -o`.
const RESTRICTED: u64 = 1 << 63;

impl Options {
    /// Whether the shell is restricted.
    pub const fn restricted(&self) -> bool {
        self.set & RESTRICTED != 0
    }

    /// Restricts the shell, from which there is no way back.
    pub(super) const fn restrict(&mut self) {
        self.set |= RESTRICTED;
    }

    /// Whether an option of `set` is on.
    #[inline]
    pub const fn on(&self, option: SetOption) -> bool {
        self.set >> option as u32 & 1 != 0
    }

    /// Turns an option of `set` on or off.
    pub const fn set(&mut self, option: SetOption, on: bool) {
        self.set = self.set & !(1 << option as u32) | (on as u64) << option as u32;
    }

    /// Takes the options of `set` over; those of `shopt` stay.
    pub const fn restore_set(&mut self, before: Options) {
        self.set = before.set | self.set & RESTRICTED;
    }

    /// Whether an option of `shopt` is on.
    #[inline]
    pub const fn shopt(&self, option: Shopt) -> bool {
        self.shopt >> option as u32 & 1 != 0
    }

    /// Turns an option of `shopt` on or off.
    pub const fn set_shopt(&mut self, option: Shopt, on: bool) {
        self.shopt = self.shopt & !(1 << option as u32) | (on as u64) << option as u32;
    }

    /// The option of `set` with this letter.
    pub fn by_letter(letter: u8) -> Option<SetOption> {
        let all = SetOption::ALL.iter().copied();
        all.into_iter()
            .find(|option| option.letter() == Some(letter))
    }

    /// The letters of `$-` that stand for options.
    pub fn letters(&self) -> Vec<u8> {
        const ORDER: &[u8] = b"abefhkmnprtuvxBCEHPT";
        let on = |&&letter: &&u8| match letter {
            b'r' => self.restricted(),
            letter => Options::by_letter(letter).is_some_and(|option| self.on(option)),
        };
        ORDER.iter().filter(on).copied().collect()
    }

    /// The names of `$SHELLOPTS`.
    pub fn set_names(&self) -> String {
        let on = SetOption::ALL.iter().filter(|&&option| self.on(option));
        on.map(|option| option.name()).collect::<Vec<_>>().join(":")
    }

    /// The names of `$BASHOPTS`.
    pub fn shopt_names(&self) -> String {
        let mut names: Vec<_> = Shopt::ALL
            .iter()
            // That a shell is restricted is not for others.
            .filter(|&&option| self.shopt(option) && option != Shopt::RestrictedShell)
            .map(|option| option.name())
            .collect();
        names.sort_unstable();
        names.join(":")
    }

    /// Both sets as numbers, for saved state.
    pub(crate) const fn bits(&self) -> (u64, u64) {
        (self.set, self.shopt)
    }

    /// The reverse of [`Options::bits`].
    pub(crate) const fn from_bits(set: u64, shopt: u64) -> Options {
        Options { set, shopt }
    }
}

impl<C: Context> Codec<C> for Options {
    fn encode(&self, writer: &mut Writer<C>) {
        self.bits().encode(writer);
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<Options> {
        let (set, shopt) = Codec::decode(reader)?;
        Ok(Options::from_bits(set, shopt))
    }
}

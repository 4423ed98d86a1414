//! The colours of names, by `TREE_COLORS` or `LS_COLORS`: dircolors(1). Other than in `ls`, the first suffix that fits
//! holds.

use std::collections::HashMap;

use crate::system::{Kind, Stat};

/// What there is without either: the table of the original.
const OWN: &str = "no=00:rs=0:fi=00:di=01;34:ln=01;36:pi=40;33:so=01;35:bd=40;33;01:cd=40;33;01:or=40;31;01:ex=01;32:\
*.bat=01;32:*.BAT=01;32:*.btm=01;32:*.BTM=01;32:*.cmd=01;32:*.CMD=01;32:*.com=01;32:*.COM=01;32:*.dll=01;32:*.DLL=01;32:\
*.exe=01;32:*.EXE=01;32:*.arj=01;31:*.bz2=01;31:*.deb=01;31:*.gz=01;31:*.lzh=01;31:*.rpm=01;31:*.tar=01;31:*.taz=01;31:\
*.tb2=01;31:*.tbz2=01;31:*.tbz=01;31:*.tgz=01;31:*.tz2=01;31:*.z=01;31:*.Z=01;31:*.zip=01;31:*.ZIP=01;31:*.zoo=01;31:\
*.asf=01;35:*.ASF=01;35:*.avi=01;35:*.AVI=01;35:*.bmp=01;35:*.BMP=01;35:*.flac=01;35:*.FLAC=01;35:*.gif=01;35:\
*.GIF=01;35:*.jpg=01;35:*.JPG=01;35:*.jpeg=01;35:*.JPEG=01;35:*.m2a=01;35:*.M2a=01;35:*.m2v=01;35:*.M2V=01;35:\
*.mov=01;35:*.MOV=01;35:*.mp3=01;35:*.MP3=01;35:*.mpeg=01;35:*.MPEG=01;35:*.mpg=01;35:*.MPG=01;35:*.ogg=01;35:\
*.OGG=01;35:*.ppm=01;35:*.rm=01;35:*.RM=01;35:*.tga=01;35:*.TGA=01;35:*.tif=01;35:*.TIF=01;35:*.wav=01;35:*.WAV=01;35:\
*.wmv=01;35:*.WMV=01;35:*.xbm=01;35:*.xpm=01;35";

/// Colours by kind and by the end of a name.
pub struct Colors {
    /// By keys such as `di`.
    kinds: HashMap<String, String>,
    /// Ends of names, in their order.
    endings: Vec<(String, String)>,
}

impl Colors {
    /// The colours of the environment; none without a terminal to show them.
    pub fn of_environment() -> Option<Colors> {
        let text = |name: &str| crate::system::text_variable(name);
        text("TERM")?;
        let given = text("TREE_COLORS").or_else(|| text("LS_COLORS"));
        let given = given.filter(|given| !given.is_empty());
        let mut colors = Colors {
            kinds: HashMap::new(),
            endings: Vec::new(),
        };
        for entry in given.as_deref().unwrap_or(OWN).split(':') {
            let Some((key, code)) = entry.split_once('=') else {
                continue;
            };
            match key.strip_prefix('*') {
                Some(end) => colors.endings.push((end.to_owned(), code.to_owned())),
                None => drop(colors.kinds.insert(key.to_owned(), code.to_owned())),
            }
        }
        Some(colors)
    }

    /// The colour of the first of the keys that has one.
    fn kind(&self, keys: &[&str]) -> Option<&str> {
        let mut found = keys.iter().filter_map(|key| self.kinds.get(*key));
        found.next().map(String::as_str)
    }

    /// The colour of a link that leads nowhere, and of where it leads.
    pub fn broken(&self) -> (Option<&str>, Option<&str>) {
        (self.kind(&["or", "ln"]), self.kind(&["mi", "no"]))
    }

    /// The colour of a name: special bits outrank execute bits, and these its end.
    pub fn of(&self, stat: &Stat, name: &[u8]) -> Option<&str> {
        match stat.kind {
            Kind::Directory => match stat.mode & 0o1002 {
                0o1002 => self.kind(&["tw", "di"]),
                0o0002 => self.kind(&["ow", "di"]),
                0o1000 => self.kind(&["st", "di"]),
                _ => self.kind(&["di"]),
            },
            Kind::Symlink => self.kind(&["ln"]),
            Kind::Fifo => self.kind(&["pi"]),
            Kind::CharacterDevice => self.kind(&["cd"]),
            Kind::Regular => {
                let special = match stat.mode {
                    mode if mode & 0o4000 != 0 => self.kind(&["su"]),
                    mode if mode & 0o2000 != 0 => self.kind(&["sg"]),
                    _ => None,
                };
                let runs = || self.kind(&["ex"]).filter(|_| stat.mode & 0o111 != 0);
                let ending = || {
                    let mut endings = self.endings.iter();
                    let found = endings.find(|(end, _)| name.ends_with(end.as_bytes()));
                    found.map(|(_, code)| code.as_str())
                };
                special
                    .or_else(runs)
                    .or_else(ending)
                    .or_else(|| self.kind(&["fi"]))
            }
        }
    }
}

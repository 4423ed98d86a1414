//! Pathname expansion: the files whose names match a pattern.

use super::{Options, Pattern, has_magic, unescape};

/// The files among which [`glob`] looks.
pub trait Files {
    /// Whether anything has this absolute path, a link that leads nowhere included.
    fn exists(&self, path: &[u8]) -> bool;

    /// Whether this absolute path leads to a directory, through links too.
    fn is_directory(&self, path: &[u8]) -> bool;

    /// What is in the directory of this absolute path, `.` and `..` left out; nothing where it cannot be read.
    fn entries(&self, path: &[u8]) -> Vec<Entry>;
}

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: EntryKind,
}

/// What a name in a directory stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// Anything else.
    Other,
}

/// How many names one expansion may look at by default, those that do not match included.
/// `**/*/**/*/**` names every file once for each way to split its path, so without a bound a short
/// word could fill the memory.
pub const DEFAULT_NAME_LIMIT: usize = 2_000_000;

/// The settings of pathname expansion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GlobOptions {
    /// `dotglob`: names that begin with a dot match like others.
    pub dots: bool,
    /// `globskipdots`: `.` and `..` never match.
    pub skip_dots: bool,
    /// `globstar`: `**` goes through directories.
    pub globstar: bool,
    /// How names are matched: `extglob`, `nocaseglob`.
    pub matching: Options,
    /// How many names may be looked at.
    pub limit: usize,
}

impl Default for GlobOptions {
    /// What bash starts with.
    fn default() -> GlobOptions {
        GlobOptions {
            dots: false,
            skip_dots: true,
            globstar: false,
            matching: Options::default(),
            limit: DEFAULT_NAME_LIMIT,
        }
    }
}

/// An expansion looked at more names than its limit allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyNames;

impl std::fmt::Display for TooManyNames {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("too many file names")
    }
}

impl std::error::Error for TooManyNames {}

/// The paths that match `pattern`, sorted by bytes; relative ones start from `directory`.
///
/// The result is empty where nothing matches: what then becomes of the word (`nullglob`,
/// `failglob`), and what `GLOBIGNORE` leaves out, is up to the caller. Directories that cannot be
/// read have no entries.
///
/// # Errors
/// [`TooManyNames`] where more names than `options.limit` had to be looked at.
pub fn glob(
    files: &dyn Files,
    directory: &[u8],
    pattern: &[u8],
    options: &GlobOptions,
) -> Result<Vec<Vec<u8>>, TooManyNames> {
    let components = components(pattern, options);
    if components.is_empty() {
        return Ok(Vec::new());
    }
    let start = pattern.iter().take_while(|&&byte| byte == b'/').count();
    let first = Place {
        prefix: pattern[..start].to_vec(),
        component: 0,
        magic: false,
    };
    let mut walk = Walk {
        files,
        directory,
        options,
        components,
        todo: vec![first],
        found: Vec::new(),
        seen: 0,
    };
    while let Some(place) = walk.todo.pop() {
        walk.visit(place)?;
    }
    walk.found.sort_unstable();
    Ok(walk.found)
}

/// One name of a path.
struct Component {
    kind: ComponentKind,
    /// How many slashes follow it.
    slashes: usize,
}

enum ComponentKind {
    Literal(Vec<u8>),
    Pattern(Box<Pattern>),
    /// `**`
    Globstar {
        /// Written one after another.
        repeated: bool,
    },
}

fn components(pattern: &[u8], options: &GlobOptions) -> Vec<Component> {
    let mut components: Vec<Component> = Vec::new();
    let mut rest = pattern;
    while let Some(start) = rest.iter().position(|&byte| byte != b'/') {
        rest = &rest[start..];
        let end = rest
            .iter()
            .position(|&byte| byte == b'/')
            .unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let slashes = after.iter().take_while(|&&byte| byte == b'/').count();
        rest = &after[slashes..];
        // A backslash before a slash quotes nothing else.
        let name = if after.is_empty() {
            name
        } else {
            name.strip_suffix(b"\\").unwrap_or(name)
        };
        let kind = if options.globstar && name == b"**" {
            ComponentKind::Globstar { repeated: false }
        } else if has_magic(name, options.matching.extended) {
            ComponentKind::Pattern(Box::new(Pattern::new(name, options.matching)))
        } else {
            ComponentKind::Literal(unescape(name))
        };
        match components.last_mut() {
            // One after another, they mean no more than one.
            Some(last)
                if matches!(
                    (&last.kind, &kind),
                    (
                        ComponentKind::Globstar { .. },
                        ComponentKind::Globstar { .. }
                    )
                ) =>
            {
                last.kind = ComponentKind::Globstar { repeated: true };
                last.slashes = slashes;
            }
            _ => components.push(Component { kind, slashes }),
        }
    }
    components
}

/// A directory that was reached, and the component that its entries are to match.
struct Place {
    /// The path so far: empty, or with a slash at its end.
    prefix: Vec<u8>,
    component: usize,
    /// A pattern led here.
    magic: bool,
}

struct Walk<'a> {
    files: &'a dyn Files,
    directory: &'a [u8],
    options: &'a GlobOptions,
    components: Vec<Component>,
    todo: Vec<Place>,
    found: Vec<Vec<u8>>,
    seen: usize,
}

impl Walk<'_> {
    fn visit(&mut self, mut place: Place) -> Result<(), TooManyNames> {
        match &self.components[place.component].kind {
            ComponentKind::Literal(name) => {
                let name = name.clone();
                self.literal(place, &name);
                Ok(())
            }
            ComponentKind::Pattern(_) => self.pattern(&place),
            ComponentKind::Globstar { repeated } => {
                place.magic |= *repeated;
                self.globstar(place)
            }
        }
    }

    fn literal(&mut self, place: Place, name: &[u8]) {
        let (last, slashes) = self.position(place.component);
        let mut path = place.prefix;
        path.extend_from_slice(name);
        if last && slashes == 0 {
            if self.files.exists(&self.absolute(&path)) {
                self.found.push(path);
            }
            return;
        }
        path.resize(path.len() + slashes, b'/');
        if !last {
            self.todo.push(Place {
                prefix: path,
                component: place.component + 1,
                magic: place.magic,
            });
        } else if self.is_directory(&path) {
            self.found.push(path);
        }
    }

    fn pattern(&mut self, place: &Place) -> Result<(), TooManyNames> {
        let (last, slashes) = self.position(place.component);
        for entry in self.entries(&place.prefix)? {
            let ComponentKind::Pattern(pattern) = &self.components[place.component].kind else {
                return Ok(());
            };
            if !pattern.matches_name(&entry.name, self.options.dots && !is_special(&entry.name)) {
                continue;
            }
            let mut path = [place.prefix.as_slice(), &entry.name].concat();
            if last && slashes == 0 {
                self.found.push(path);
                continue;
            }
            if !self.leads_on(&entry, &path) {
                continue;
            }
            path.push(b'/');
            if last {
                self.found.push(path);
            } else {
                self.todo.push(Place {
                    prefix: path,
                    component: place.component + 1,
                    magic: true,
                });
            }
        }
        Ok(())
    }

    /// Goes on from the directory itself and from all below it; links are not followed.
    fn globstar(&mut self, place: Place) -> Result<(), TooManyNames> {
        let (last, slashes) = self.position(place.component);
        if !place.prefix.is_empty() && !self.is_directory(&place.prefix) {
            return Ok(());
        }
        let mut stack = vec![place.prefix.clone()];
        let next = place.component + 1;
        self.globstar_base(place, last, slashes);
        while let Some(prefix) = stack.pop() {
            for entry in self.entries(&prefix)? {
                let dot = entry.name.first() == Some(&b'.');
                if dot && (!self.options.dots || is_special(&entry.name)) {
                    continue;
                }
                let mut path = [prefix.as_slice(), &entry.name].concat();
                if last && slashes == 0 {
                    self.found.push(path.clone());
                } else if last && self.leads_on(&entry, &path) {
                    self.found.push([path.as_slice(), b"/"].concat());
                }
                if entry.kind != EntryKind::Directory {
                    continue;
                }
                path.push(b'/');
                if !last {
                    self.todo.push(Place {
                        prefix: path.clone(),
                        component: next,
                        magic: true,
                    });
                }
                stack.push(path);
            }
        }
        Ok(())
    }

    /// `**` that stands for no directory at all.
    fn globstar_base(&mut self, mut place: Place, last: bool, slashes: usize) {
        if !last {
            place.component += 1;
            place.magic = true;
            self.todo.push(place);
        } else if !place.prefix.is_empty() {
            // As bash has it: `a/**` gives `a/`, but `[a]/**` gives `a`.
            if place.magic && slashes == 0 {
                place.prefix.pop();
            }
            self.found.push(place.prefix);
        }
    }

    /// Whether the component is the last one, and how many slashes follow it.
    fn position(&self, component: usize) -> (bool, usize) {
        (
            component + 1 == self.components.len(),
            self.components[component].slashes,
        )
    }

    /// The entries of a directory, in bytes order, with `.` and `..` where they can match.
    fn entries(&mut self, prefix: &[u8]) -> Result<Vec<Entry>, TooManyNames> {
        let mut entries = self.files.entries(&self.absolute(prefix));
        if !self.options.skip_dots {
            let special = [b".".as_slice(), b".."];
            entries.extend(special.map(|name| Entry {
                name: name.to_vec(),
                kind: EntryKind::Directory,
            }));
        }
        self.seen += entries.len() + 1;
        if self.seen > self.options.limit {
            return Err(TooManyNames);
        }
        Ok(entries)
    }

    /// Whether the entry is a directory, or a link to one.
    fn leads_on(&self, entry: &Entry, path: &[u8]) -> bool {
        match entry.kind {
            EntryKind::Directory => true,
            EntryKind::Symlink => self.is_directory(path),
            _ => false,
        }
    }

    fn is_directory(&self, path: &[u8]) -> bool {
        self.files.is_directory(&self.absolute(path))
    }

    fn absolute(&self, path: &[u8]) -> Vec<u8> {
        match path.first() {
            Some(b'/') => path.to_vec(),
            None => self.directory.to_vec(),
            Some(_) => [self.directory, b"/", path].concat(),
        }
    }
}

fn is_special(name: &[u8]) -> bool {
    name == b"." || name == b".."
}

//! ELF files (System V ABI, chapter 4), 32 and 64 bits, in both byte orders. The content may be cut or hostile: numbers
//! beyond its end are 0.

/// Reads the numbers of an ELF file in its byte order and word size.
struct Reader<'a> {
    content: &'a [u8],
    /// 64 bits.
    wide: bool,
    little: bool,
}

impl Reader<'_> {
    /// The number in `length` bytes at an offset, in the file's byte order.
    fn number(&self, at: usize, length: usize) -> u64 {
        let bytes = self
            .content
            .get(at..at.saturating_add(length))
            .unwrap_or_default();
        let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        if self.little {
            bytes.iter().rev().fold(0, fold)
        } else {
            bytes.iter().fold(0, fold)
        }
    }

    /// An address or offset, at one place in 32-bit files and another in 64-bit ones.
    fn word(&self, narrow: usize, wide: usize) -> usize {
        let value = if self.wide {
            self.number(wide, 8)
        } else {
            self.number(narrow, 4)
        };
        usize::try_from(value).unwrap_or(usize::MAX)
    }

    /// The bytes at an offset; empty where they are not all there.
    fn slice(&self, at: usize, length: usize) -> &[u8] {
        self.content
            .get(at..at.saturating_add(length))
            .unwrap_or_default()
    }

    /// The program headers: type, offset and size.
    fn segments(&self) -> Vec<(u64, usize, usize)> {
        let start = self.word(28, 32);
        let (size, count) = if self.wide {
            (self.number(54, 2), self.number(56, 2))
        } else {
            (self.number(42, 2), self.number(44, 2))
        };
        let header = |index: u64| {
            let at = start.saturating_add((index * size) as usize);
            let word = |narrow: usize, wide: usize| {
                self.word(at.saturating_add(narrow), at.saturating_add(wide))
            };
            (self.number(at, 4), word(4, 8), word(16, 32))
        };
        (0..count).map(header).collect()
    }

    /// Whether a symbol table (`SHT_SYMTAB`) is there: without one the file is stripped.
    fn has_symbols(&self) -> bool {
        let start = self.word(32, 40);
        let (size, count) = if self.wide {
            (self.number(58, 2), self.number(60, 2))
        } else {
            (self.number(46, 2), self.number(48, 2))
        };
        (0..count).any(|index| {
            let at = start.saturating_add((index * size) as usize);
            self.number(at.saturating_add(4), 4) == 2
        })
    }

    /// What a segment of notes tells, ready to be printed: build identifier (`NT_GNU_BUILD_ID`) and system
    /// (`NT_GNU_ABI_TAG`).
    fn notes(&self, at: usize, length: usize) -> (Option<String>, Option<String>) {
        let (mut build, mut system) = (None, None);
        let (mut at, end) = (at, at.saturating_add(length).min(self.content.len()));
        while at + 12 <= end {
            let (name, size, kind) = (
                self.number(at, 4),
                self.number(at + 4, 4),
                self.number(at + 8, 4),
            );
            let text = at + 12;
            let data = text.saturating_add((name as usize).next_multiple_of(4));
            if self.slice(text, 4) == b"GNU\0" && kind == 3 {
                let digits = self.slice(data, size as usize).iter();
                let digits: String = digits.map(|byte| format!("{byte:02x}")).collect();
                let hash = if size == 20 { "sha1" } else { "md5/uuid" };
                build = Some(format!(", BuildID[{hash}]={digits}"));
            }
            if self.slice(text, 4) == b"GNU\0" && kind == 1 && self.number(data, 4) == 0 {
                let version = [4, 8, 12].map(|offset| self.number(data + offset, 4).to_string());
                system = Some(format!(", for GNU/Linux {}", version.join(".")));
            }
            at = data.saturating_add((size as usize).next_multiple_of(4));
        }
        (build, system)
    }
}

/// Words and MIME type of a content that begins with ELF's magic bytes.
pub fn describe(content: &[u8]) -> (String, &'static str) {
    let byte = |at: usize| content.get(at).copied().unwrap_or(0);
    let reader = Reader {
        content,
        wide: byte(4) == 2,
        little: byte(5) != 2,
    };
    let segments = reader.segments();
    let interpreter = segments.iter().find(|(kind, ..)| *kind == 3);
    let dynamic = segments.iter().any(|(kind, ..)| *kind == 2);
    let (kind, mime) = match (reader.number(16, 2), interpreter) {
        (1, _) => ("relocatable", "application/x-object"),
        (2, _) => ("executable", "application/x-executable"),
        (3, Some(_)) => ("pie executable", "application/x-pie-executable"),
        (3, None) => ("shared object", "application/x-sharedlib"),
        (4, _) => ("core file", "application/x-coredump"),
        _ => ("unknown type", "application/octet-stream"),
    };
    let machine = match reader.number(18, 2) {
        2 => "SPARC",
        3 => "Intel 80386",
        8 => "MIPS",
        20 => "PowerPC or cisco 4500",
        21 => "64-bit PowerPC or cisco 7500",
        22 => "IBM S/390",
        40 => "ARM",
        62 => "x86-64",
        183 => "ARM aarch64",
        243 => "UCB RISC-V",
        247 => "eBPF",
        258 => "LoongArch",
        _ => "unknown arch",
    };
    let abi = match byte(7) {
        0 => "SYSV",
        3 => "GNU/Linux",
        9 => "FreeBSD",
        _ => "unknown",
    };
    let bits = if reader.wide { 64 } else { 32 };
    let order = if reader.little { "LSB" } else { "MSB" };
    let version = reader.number(20, 4);
    let mut words = format!("ELF {bits}-bit {order} {kind}, {machine}, version {version} ({abi})");
    if !matches!(reader.number(16, 2), 1 | 4) {
        words += if dynamic {
            ", dynamically linked"
        } else {
            ", statically linked"
        };
    }
    if let Some((_, at, length)) = interpreter {
        let path = reader.slice(*at, *length);
        let path = path.split(|&byte| byte == 0).next().unwrap_or_default();
        words += &format!(", interpreter {}", String::from_utf8_lossy(path));
    }
    let (mut build, mut system) = (None, None);
    for (_, at, length) in segments.iter().filter(|(kind, ..)| *kind == 4) {
        let (found, named) = reader.notes(*at, *length);
        build = build.or(found);
        system = system.or(named);
    }
    words += &build.unwrap_or_default();
    words += &system.unwrap_or_default();
    if reader.number(16, 2) != 4 {
        words += if reader.has_symbols() {
            ", not stripped"
        } else {
            ", stripped"
        };
    }
    (words, mime)
}

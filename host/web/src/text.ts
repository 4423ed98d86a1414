// Byte strings of POSIX as the text that WASI 0.2 has, and back: nothing is lost, no two become one. A byte that is no
// part of UTF-8 becomes a character of the private use area, and so do the bytes of these characters themselves.

/** The character that byte 0 would become; only 128 and above do. */
const BASE = 0x10fe00;
const ESCAPES = /[\u{10fe80}-\u{10feff}]/u;
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

const escaped = (bytes: Uint8Array): string => String.fromCodePoint(...Array.from(bytes, (byte) => BASE + byte));

/** The text that stands for `bytes`. */
export function textOf(bytes: Uint8Array): string {
  const plain = decoded(bytes);
  if (plain !== undefined && !ESCAPES.test(plain)) return plain;
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at]!;
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const piece = bytes.subarray(at, at + length);
    const character = decoded(piece);
    if (character === undefined) {
      text += escaped(bytes.subarray(at, ++at));
      continue;
    }
    text += ESCAPES.test(character) ? escaped(piece) : character;
    at += piece.length;
  }
  return text;
}

/** The bytes that `text` stands for. */
export function bytesOfText(text: string): Uint8Array {
  if (!ESCAPES.test(text)) return encoder.encode(text);
  const bytes: number[] = [];
  for (const character of text) {
    const byte = character.codePointAt(0)! - BASE;
    if (byte >= 0x80 && byte <= 0xff) bytes.push(byte);
    else bytes.push(...encoder.encode(character));
  }
  return Uint8Array.from(bytes);
}

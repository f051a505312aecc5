/** Several files as one zip archive, stored without compression (APPNOTE 6.3: local headers, central directory, end). */

export interface ZipFile {
  readonly name: string;
  readonly text: string;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

export function crc32(bytes: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = (TABLE[(c ^ byte) & 0xff] ?? 0) ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/** Names in UTF-8. */
const UTF8 = 0x0800;
const VERSION = 20;

export function zip(files: readonly ZipFile[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const entries = files.map(({ name, text }) => {
    const data = encoder.encode(text);
    return { name: encoder.encode(name), data, crc: crc32(data) };
  });
  const size = entries.reduce((sum, { name, data }) => sum + 76 + 2 * name.length + data.length, 22);
  const out = new Uint8Array(size);
  const view = new DataView(out.buffer);
  let at = 0;
  const u16 = (value: number): void => {
    view.setUint16(at, value, true);
    at += 2;
  };
  const u32 = (value: number): void => {
    view.setUint32(at, value, true);
    at += 4;
  };
  const bytes = (data: Uint8Array): void => {
    out.set(data, at);
    at += data.length;
  };
  /** What the local header and the directory say alike: version, flags, no compression, 1980-01-01, sizes. */
  const common = ({ name, data, crc }: (typeof entries)[number]): void => {
    u16(VERSION);
    u16(UTF8);
    u16(0);
    u16(0);
    u16(0x21);
    u32(crc);
    u32(data.length);
    u32(data.length);
    u16(name.length);
    u16(0);
  };
  const places = entries.map((entry) => {
    const place = at;
    u32(0x04034b50);
    common(entry);
    bytes(entry.name);
    bytes(entry.data);
    return place;
  });
  const start = at;
  for (const [i, entry] of entries.entries()) {
    u32(0x02014b50);
    u16(VERSION);
    common(entry);
    u16(0);
    u16(0);
    u16(0);
    u32(0);
    u32(places[i] ?? 0);
    bytes(entry.name);
  }
  const length = at - start;
  u32(0x06054b50);
  u16(0);
  u16(0);
  u16(entries.length);
  u16(entries.length);
  u32(length);
  u32(start);
  u16(0);
  return out;
}

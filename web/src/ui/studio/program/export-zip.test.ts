import { describe, expect, it } from "vitest";
import { crc32, zip } from "./export-zip";

describe("zip", () => {
  it("has the known checksum", () => {
    expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
  });

  it("holds each file where its directory says", () => {
    const files = [
      { name: "a.mod", text: "MODULE a" },
      { name: "ñ.txt", text: "grün" },
    ];
    const data = zip(files);
    const view = new DataView(data.buffer);
    const end = data.length - 22;
    expect(view.getUint32(end, true)).toBe(0x06054b50);
    expect(view.getUint16(end + 10, true)).toBe(2);
    let at = view.getUint32(end + 16, true);
    for (const { name, text } of files) {
      expect(view.getUint32(at, true)).toBe(0x02014b50);
      const length = view.getUint16(at + 28, true);
      const place = view.getUint32(at + 42, true);
      expect(view.getUint32(place, true)).toBe(0x04034b50);
      const from = place + 30 + length;
      const read = (a: number, b: number): string => new TextDecoder().decode(data.subarray(a, b));
      expect(read(from - length, from)).toBe(name);
      expect(read(from, from + view.getUint32(place + 18, true))).toBe(text);
      at += 46 + length;
    }
    expect(at).toBe(end);
  });
});

/** A picture with a gradient, in the simplest format that browsers show (BMP). The width is a multiple of four. */
export function picture(width: number, height: number): string {
  const pixels = Buffer.alloc(width * height * 3);
  for (let at = 0; at < width * height; at += 1) pixels.set([200, Math.floor((255 * (at % width)) / width), Math.floor((255 * at) / (width * height))], at * 3);
  const head = Buffer.alloc(54);
  head.write("BM");
  head.writeUInt32LE(head.length + pixels.length, 2);
  head.writeUInt32LE(head.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  head.writeUInt32LE(pixels.length, 34);
  return Buffer.concat([head, pixels]).toString("base64");
}

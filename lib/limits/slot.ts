const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

const encoder = new TextEncoder();

/** The slot of a cluster that keys with this text in their braces lie in: CRC16 (XMODEM) modulo 16,384. */
export function slotOf(tag: string): number {
  let crc = 0;
  for (const byte of encoder.encode(tag)) crc = ((crc << 8) ^ (table[(crc >> 8) ^ byte] ?? 0)) & 0xffff;
  return crc & 16_383;
}

import { scan } from "../../ip/block.ts";

type Value = string | number | boolean | { readonly [name: string]: Value };

interface Node {
  children: [Node | number | undefined, Node | number | undefined];
}

/** An MMDB file with the given records, by the MaxMind DB file format 2.0: nodes of two 24-bit records, no pointers. */
export function mmdb(
  records: readonly (readonly [range: string, record: Value])[],
  { ipVersion = 6, type = "Test", builtAt = 1_780_000_000 } = {},
): Buffer {
  const root: Node = { children: [undefined, undefined] };
  const data: Buffer[] = [];
  let dataBytes = 0;
  for (const [range, record] of records) {
    put(root, bitsOf(range, ipVersion), dataBytes);
    const bytes = encoded(record);
    data.push(bytes);
    dataBytes += bytes.length;
  }
  const nodes: Node[] = [];
  const number = new Map<Node, number>();
  const visit = (node: Node) => {
    number.set(node, nodes.length);
    nodes.push(node);
    for (const child of node.children) if (typeof child === "object") visit(child);
  };
  visit(root);
  const tree = Buffer.alloc(nodes.length * 6);
  for (const [i, { children }] of nodes.entries()) {
    for (const [side, child] of children.entries()) {
      const value =
        child === undefined
          ? nodes.length
          : typeof child === "number"
            ? nodes.length + 16 + child
            : (number.get(child) ?? 0);
      tree.writeUIntBE(value, i * 6 + side * 3, 3);
    }
  }
  const metadata = encoded({
    ...{ binary_format_major_version: 2, binary_format_minor_version: 0, build_epoch: builtAt },
    ...{ database_type: type, ip_version: ipVersion, node_count: nodes.length, record_size: 24 },
  });
  return Buffer.concat([
    tree,
    Buffer.alloc(16),
    ...data,
    Buffer.from("\xab\xcd\xefMaxMind.com", "latin1"),
    metadata,
  ]);
}

/** IPv4 is in the first 96 zero bits of a tree of IPv6. */
function bitsOf(range: string, ipVersion: number): number[] {
  const block = scan(range);
  if (!block) throw new Error(`${range} is no range`);
  const words = block.family === 4 ? [block.a] : [block.a, block.b, block.c, block.d];
  const bits = words.flatMap((word) => Array.from({ length: 32 }, (_, i) => (word >>> (31 - i)) & 1));
  const before = block.family === 4 && ipVersion === 6 ? Array.from({ length: 96 }, () => 0) : [];
  return [...before, ...bits.slice(0, block.length)];
}

function put(root: Node, bits: readonly number[], offset: number): void {
  let node = root;
  for (const [i, bit] of bits.entries()) {
    if (i === bits.length - 1) {
      node.children[bit] = offset;
      return;
    }
    const child = node.children[bit];
    const next: Node = typeof child === "object" ? child : { children: [undefined, undefined] };
    node.children[bit] = next;
    node = next;
  }
}

function encoded(value: Value): Buffer {
  if (typeof value === "boolean") return Buffer.from([value ? 1 : 0, 14 - 7]);
  if (typeof value === "number") {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([Buffer.from([(6 << 5) | 4]), bytes]);
  }
  if (typeof value === "string") {
    const text = Buffer.from(value);
    const head = text.length < 29 ? [(2 << 5) | text.length] : [(2 << 5) | 29, text.length - 29];
    return Buffer.concat([Buffer.from(head), text]);
  }
  const members = Object.entries(value);
  return Buffer.concat([
    Buffer.from([(7 << 5) | members.length]),
    ...members.flatMap(([name, of]) => [encoded(name), encoded(of)]),
  ]);
}

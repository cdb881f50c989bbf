import { expect, it } from "vitest";
import { comparison } from "./compare.ts";
import { ListTable } from "./list-table.ts";
import { Order } from "./order.ts";

const count = 30_000;
const address = (i: number) => `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`;
const value = (i: number) => `reason ${(i * 7_919) % 1_000}`;

function fill() {
  const table = new ListTable("blocklist");
  for (let i = 0; i < count; i++)
    table.put(address((i * 104_729) % count), value(i), 1e9 + ((i * 31) % 5_000));
  return table;
}

function expectOrdered(table: ListTable, order: Order, sort: "address" | "reason" | "expires") {
  const compare = comparison(table, sort);
  const { rows } = order;
  expect(rows).toHaveLength(table.size);
  expect(new Set(rows).size).toBe(table.size);
  const isSorted = rows.every((row, i) => i === 0 || compare(rows[i - 1] ?? 0, row) < 0);
  expect(isSorted).toBe(true);
}

it.each(["address", "reason", "expires"] as const)(
  "sorts by %s while others have their turn",
  async (sort) => {
    const table = fill();
    const order = new Order(table, comparison(table, sort));
    let turns = 0;
    let isDone = false;
    // Rows come, go and are rewritten while it sorts.
    const write = () => {
      turns++;
      for (let i = turns; i < count; i += 997) {
        if (i % 3 === 0) table.delete(address(i));
        else table.put(address(i), value(i + turns), 2e9 - i);
      }
      if (!isDone) setImmediate(write);
    };
    setImmediate(write);
    await order.refresh();
    isDone = true;
    expect(turns).toBeGreaterThan(0);
    await order.refresh();
    expect(order.isRight).toBe(true);
    expectOrdered(table, order, sort);
  },
);

it("keeps up with few changes at once, and with many in pieces", async () => {
  const table = fill();
  const order = new Order(table, comparison(table, "expires"));
  await order.refresh();
  for (const changes of [1, 50, 10_000]) {
    for (let i = 0; i < changes; i++) table.put(address(i), value(i), 3e9 - changes * i);
    for (let i = 0; i < changes; i += 7) table.delete(address(i + 1));
    expect(order.isRight).toBe(false);
    await order.refresh();
    expectOrdered(table, order, "expires");
  }
});

it("starts over after more changes than it records", async () => {
  const table = fill();
  const order = new Order(table, comparison(table, "address"));
  await order.refresh();
  for (let i = 0; i < 250_000; i++) table.put(address(i), value(i), 1e9);
  await order.refresh();
  expectOrdered(table, order, "address");
}, 60_000);

"use server";

let items = 0;

export async function add(): Promise<void> {
  console.log(`items in the cart: ${++items}`);
}

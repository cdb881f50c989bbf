import { add } from "./actions";
import { AddButton } from "./add-button";

export default function Cart() {
  return (
    <main>
      <h1>Cart</h1>
      <AddButton />
      <form action={add}>
        <button type="submit">Add without a script</button>
      </form>
    </main>
  );
}

export default function Shop() {
  return <h1>Storefront</h1>;
}

export default async function TooMany({ searchParams }: { searchParams: Promise<{ wait?: string }> }) {
  const { wait } = await searchParams;
  return <h1>Please come back in {wait} s</h1>;
}

/** Tags of an entry, in one line. */
export function EntryTags({ tags }: { tags: readonly string[] | undefined }) {
  if (tags === undefined || tags.length === 0) return null;
  return (
    <span title={`Tags: ${tags.join(" ")}`} className="flex min-w-0 gap-1 overflow-hidden">
      <span className="sr-only">Tags: </span>
      {tags.map((tag) => (
        <span
          key={tag}
          className="min-w-6 truncate rounded-badge border border-border-2 px-1 font-mono text-meta leading-4 text-text-2"
        >
          {tag}
        </span>
      ))}
    </span>
  );
}

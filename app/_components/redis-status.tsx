const look = {
  up: { label: "Redis answers", dot: "●", tint: "border-pass-bd bg-pass-bg text-pass" },
  down: { label: "Redis does not answer", dot: "▲", tint: "border-blocked-bd bg-blocked-bg text-blocked" },
};

export function RedisStatus({ isUp }: { isUp: boolean }) {
  const { label, dot, tint } = isUp ? look.up : look.down;
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full border px-2.5 py-0.5 text-[12px] leading-4 ${tint}`}
    >
      <span aria-hidden="true">{dot}</span>
      {label}
    </span>
  );
}

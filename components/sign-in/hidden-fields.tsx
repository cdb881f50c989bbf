export interface HiddenFieldsProps {
  /** Proves to next-auth that the form is the console's own. */
  csrfToken: string;
  to: string;
}

export function HiddenFields({ csrfToken, to }: HiddenFieldsProps) {
  return (
    <>
      <input type="hidden" name="csrfToken" value={csrfToken} />
      <input type="hidden" name="callbackUrl" value={to} />
    </>
  );
}

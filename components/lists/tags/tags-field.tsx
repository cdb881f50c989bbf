import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { parseTags } from "@/lib/manage/lists/tags.ts";

interface TagsFieldProps {
  readonly label?: string;
  readonly hint?: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onLeave?: () => void;
  readonly className?: string;
}

/** Field for tags, with a space or comma between. */
export function TagsField({ label = "Tags", hint, text, onChange, onLeave, className }: TagsFieldProps) {
  const parsed = parseTags(text);
  return (
    <Field label={label} hint={hint} error={!parsed.ok && `${parsed.reason}.`} className={className}>
      <Input
        value={text}
        maxLength={400}
        autoCapitalize="off"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onLeave}
      />
    </Field>
  );
}

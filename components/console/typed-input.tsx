import { type ReactNode, useEffect, useRef, useState } from "react";
import { Input } from "@/components/ui/input.tsx";

const pauseMs = 300;

interface TypedInputProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly icon?: ReactNode;
  readonly isMono?: boolean;
  readonly className?: string;
}

/** A field that says what was typed after a pause; what comes from elsewhere, such as Back, it takes over. */
export function TypedInput({ label, value, onChange, ...input }: TypedInputProps) {
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    setTyped(value);
    return () => clearTimeout(timer.current);
  }, [value]);
  const say = (text: string, afterMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(text), afterMs);
  };
  return (
    <Input
      {...input}
      type="search"
      aria-label={label}
      value={typed}
      maxLength={200}
      spellCheck={false}
      onChange={({ target }) => {
        setTyped(target.value);
        say(target.value, pauseMs);
      }}
      onKeyDown={({ key }) => key === "Enter" && say(typed, 0)}
    />
  );
}

export function Logo() {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className="size-6 shrink-0">
      <rect width="32" height="32" rx="8" className="fill-primary" />
      <path d="M9 24V14a7 7 0 0 1 14 0v10M16 24v-8" fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  );
}

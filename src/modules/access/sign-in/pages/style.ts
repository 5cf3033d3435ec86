export const style = `:root {
  color-scheme: light dark;
  --paper: #f1f5f9;
  --card: #ffffff;
  --ink: #0f172a;
  --soft: #475569;
  --line: #94a3b8;
  --edge: #e2e8f0;
  --accent: #0f766e;
  --on-accent: #ffffff;
  --bad: #b91c1c;
  --bad-paper: #fef2f2;
  --good: #166534;
  --good-paper: #f0fdf4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #0b1220;
    --card: #131c2e;
    --ink: #e2e8f0;
    --soft: #a3b1c6;
    --line: #64748b;
    --edge: #25324a;
    --accent: #2dd4bf;
    --on-accent: #04211d;
    --bad: #fca5a5;
    --bad-paper: #3b1218;
    --good: #86efac;
    --good-paper: #0d2b1a;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0;
  min-height: 100vh;
  display: grid;
  place-items: center;
  padding: 1.5rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif;
}
main {
  width: 100%;
  max-width: 26rem;
  padding: 2.25rem 2rem;
  background: var(--card);
  border: 1px solid var(--edge);
  border-radius: 1rem;
  box-shadow: 0 1.5rem 3rem -1.75rem rgb(15 23 42 / 35%);
}
main.wide { max-width: 44rem; }
.logo { display: block; width: 4rem; height: 3rem; margin: 0 auto 1rem; }
h1 { margin: 0 0 0.25rem; font-size: 1.5rem; line-height: 1.25; text-align: center; }
h2 { margin: 2rem 0 0.75rem; font-size: 1.1rem; }
.lead { margin: 0 0 1.5rem; color: var(--soft); text-align: center; }
label { display: block; margin: 1rem 0 0.3rem; font-weight: 600; }
.hint { margin: 0.3rem 0 0; color: var(--soft); font-size: 0.875rem; }
input {
  width: 100%;
  padding: 0.65rem 0.75rem;
  font: inherit;
  color: inherit;
  background: var(--paper);
  border: 1px solid var(--line);
  border-radius: 0.5rem;
}
input[aria-invalid="true"] { border-color: var(--bad); }
button, .button {
  display: block;
  width: 100%;
  margin-top: 1.5rem;
  padding: 0.7rem 1rem;
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
  color: var(--on-accent);
  background: var(--accent);
  border: 1px solid var(--accent);
  border-radius: 0.5rem;
}
button.quiet, .button.quiet { color: var(--ink); background: transparent; border-color: var(--line); }
button:hover, .button:hover { filter: brightness(1.08); }
button[disabled] { opacity: 0.6; cursor: progress; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); }
.below { margin: 1.25rem 0 0; text-align: center; }
.problem:not(:empty), .done:not(:empty) {
  margin: 1rem 0 0;
  padding: 0.65rem 0.8rem;
  border-radius: 0.5rem;
  white-space: pre-line;
}
.problem { margin: 0; color: var(--bad); }
.problem:not(:empty) { background: var(--bad-paper); }
.done { margin: 0; color: var(--good); }
.done:not(:empty) { background: var(--good-paper); }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.35rem 1.25rem; margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
ul { margin: 0; padding: 0; list-style: none; }
li {
  display: flex;
  gap: 1rem;
  align-items: center;
  justify-content: space-between;
  padding: 0.75rem 0;
  border-top: 1px solid var(--edge);
}
li p { margin: 0; overflow-wrap: anywhere; }
li button { width: auto; flex: none; margin: 0; padding: 0.35rem 0.9rem; }
.row { display: flex; flex-wrap: wrap; gap: 0.75rem; margin-top: 1.5rem; }
.row button { flex: 1 1 12rem; margin: 0; }
@media (prefers-reduced-motion: no-preference) { button { transition: filter 120ms; } }
`;

/** A bar on a terminal; otherwise a line for each tenth. */
export function createProgress(
  what: string,
  to: NodeJS.WritableStream & { readonly isTTY?: boolean },
): (done: number, total: number) => void {
  let shown = -1;
  return (done, total) => {
    const share = total === 0 ? 1 : done / total;
    const step = Math.floor(share * (to.isTTY ? 100 : 10));
    if (step === shown) return;
    shown = step;
    if (!to.isTTY) {
      to.write(`${what}: ${done} of ${total}\n`);
      return;
    }
    const width = 30;
    const full = Math.round(share * width);
    const bar = `${'#'.repeat(full)}${'.'.repeat(width - full)}`;
    to.write(`\r${what} [${bar}] ${done} of ${total}${share >= 1 ? '\n' : ''}`);
  };
}

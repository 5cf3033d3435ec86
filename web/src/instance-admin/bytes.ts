import { decimalText } from '../ui/format.ts';

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** "1.4 GB", in steps of 1000 as disks are sold. */
export function bytesText(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${decimalText(bytes / 1000 ** step)} ${units[step]}`;
}

interface Usage {
  /** The used part, in percent. */
  readonly share: number;
  readonly text: string;
  readonly isLow: boolean;
}

/** How much of a resource is used: the bar and its text tell the same. */
export function usageOf({ free, total }: { readonly free: number; readonly total: number }): Usage {
  const used = total - free;
  const share = total === 0 ? 0 : (used / total) * 100;
  const isLow = share > 90;
  const text = `${bytesText(used)} of ${bytesText(total)} used`;
  return { share, isLow, text: isLow ? `${text} · Almost full` : text };
}

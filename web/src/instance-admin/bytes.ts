import { decimalText } from '../ui/format.ts';

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

/** "1.4 GB", in steps of 1000 as disks are sold. */
export function bytesText(bytes: number): string {
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${decimalText(bytes / 1000 ** step)} ${units[step]}`;
}

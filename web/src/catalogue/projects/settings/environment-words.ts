import { agree, numberText, plural } from '../../../ui/format.ts';

/** What is lost when an environment is removed from a project. */
export function removalText(environment: string, features: number, enabled: number): string {
  if (features === 0) return 'This project has no features yet, so nothing will be lost.';
  const lost = `${plural(features, 'feature')} will lose ${agree(features, 'its', 'their')} strategies and variants in ${environment}`;
  const including = enabled === 0 ? '' : `, including ${numberText(enabled)} enabled now`;
  return `${lost}${including}. Adding the environment again won't restore them.`;
}

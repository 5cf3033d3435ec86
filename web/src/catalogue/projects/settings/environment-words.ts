import { agree, numberText, plural } from '../../../ui/format.ts';

/** What is lost when an environment is removed from a project. */
export function removalText(environment: string, features: number, enabled: number): string {
  if (features === 0) {
    return `This project has no active features. If it has archived ones, they will lose their strategies and variants in ${environment}.`;
  }
  const lost = `${plural(features, 'active feature')} will lose ${agree(features, 'its', 'their')} strategies and variants in ${environment}`;
  const including = enabled === 0 ? '' : `, including ${numberText(enabled)} enabled now`;
  return `${lost}${including}. So will archived features. Adding the environment again won't restore them.`;
}

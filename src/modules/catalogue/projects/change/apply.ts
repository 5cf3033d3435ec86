import { namingOf } from '../feature-naming/naming.ts';
import type { Budget, LinkTemplate, ProjectChange, SetLinkTemplate } from '../project-schema.ts';
import type { ProjectDraft } from '../queries.ts';

const changedBudget = (budget: Budget, { maxStale, minHealth }: Partial<Budget> = {}): Budget => ({
  maxStale: maxStale === undefined ? budget.maxStale : maxStale,
  minHealth: minHealth === undefined ? budget.minHealth : minHealth,
});

const linkTemplateOf = ({ title, urlTemplate }: SetLinkTemplate): LinkTemplate => ({
  title: title || null,
  urlTemplate,
});

/** Applies a change to a project. Omitted properties stay. */
export function applyChange<P extends ProjectDraft>(project: P, change: ProjectChange): P {
  const { featureNaming, ...rest } = project;
  const naming = change.featureNaming ? namingOf(change.featureNaming) : featureNaming;
  const { description, featureLimit } = change;
  return {
    ...(rest as P),
    name: change.name ?? project.name,
    description: description === undefined ? project.description : description,
    mode: change.mode ?? project.mode,
    defaultStickiness: change.defaultStickiness ?? project.defaultStickiness,
    featureLimit: featureLimit === undefined ? project.featureLimit : featureLimit,
    ...(naming && { featureNaming: naming }),
    linkTemplates: change.linkTemplates?.map(linkTemplateOf) ?? project.linkTemplates,
    autoStale: change.autoStale ?? project.autoStale,
    asksBeforeProduction: change.asksBeforeProduction ?? project.asksBeforeProduction,
    budget: changedBudget(project.budget, change.budget),
  };
}

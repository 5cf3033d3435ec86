import { parse, type QualifierName, qualifiers, written } from './grammar.ts';
import { offeredMoments } from './moment.ts';

/** The options at the caret, and the range of the text that they replace. */
export interface Completion {
  readonly from: number;
  readonly to: number;
  readonly options: readonly Option[];
}

export interface Option {
  /** Replaces the fragment in the text. */
  readonly text: string;
  readonly label: string;
  readonly hint: string;
  readonly group: string;
}

/** The values to complete from. */
export interface Choices {
  readonly types: readonly { readonly name: string; readonly label: string }[];
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  readonly environments: readonly string[];
  readonly actors: readonly { readonly name: string; readonly note: string }[];
  /** Found by the server for the fragment at the caret. */
  readonly features: readonly { readonly name: string; readonly project: string }[];
  readonly withoutProject?: boolean;
  readonly withoutFeature?: boolean;
}

/** The piece of text at the caret that is still being written. */
interface Fragment {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** The qualifier whose value it is; undefined where a qualifier or a text begins. */
  readonly name: QualifierName | undefined;
  readonly minus: boolean;
}

export function fragmentAt(source: string, caret: number): Fragment {
  const token = parse(source).tokens.find(({ start, end }) => start < caret && caret <= end);
  if (token?.kind === 'qualifier' && caret >= token.valueStart) {
    const comma = source.lastIndexOf(',', caret - 1);
    const from = Math.max(token.valueStart, comma + 1);
    return {
      from,
      to: token.values.find(({ start, end }) => start === from && caret <= end)?.end ?? caret,
      text: source.slice(from, caret).replace(/^"/, ''),
      name: token.name,
      minus: token.excluded,
    };
  }
  const start = token?.start ?? Math.max(source.lastIndexOf(' ', caret - 1) + 1, 0);
  const written = source.slice(start, caret);
  const minus = written.startsWith('-');
  return {
    from: start,
    to: token && token.kind === 'text' ? token.end : caret,
    text: minus ? written.slice(1) : written,
    name: undefined,
    minus,
  };
}

const maxOptions = 12;

const isMeant = (fragment: string, ...texts: readonly string[]): boolean =>
  texts.some((text) => text.toLowerCase().includes(fragment.toLowerCase()));

/** Items that start with the fragment come before those that contain it. */
const ranked = <T>(list: readonly T[], fragment: string, textOf: (item: T) => string): T[] =>
  list
    .filter((item) => isMeant(fragment, textOf(item)))
    .sort(
      (a, b) =>
        Number(textOf(b).toLowerCase().startsWith(fragment.toLowerCase())) -
        Number(textOf(a).toLowerCase().startsWith(fragment.toLowerCase())),
    );

/** `feature-*` matches all types that start with `feature-`. */
const typeFamilies = (types: Choices['types']): string[] => {
  const beginnings = types.map(({ name }) => name.split('-')[0] ?? '');
  return [...new Set(beginnings)].filter(
    (beginning) => beginnings.filter((each) => each === beginning).length > 2,
  );
};

function valueOptions(name: QualifierName, fragment: string, choices: Choices): Option[] {
  switch (name) {
    case 'type': {
      const families = typeFamilies(choices.types)
        .filter((family) => family.startsWith(fragment.replace(/-?\*?$/, '')))
        .map((family) => ({
          text: `${family}-*`,
          label: `${family}-*`,
          hint: `All ${family} events`,
          group: 'Event types',
        }));
      const types = choices.types
        .filter(({ name: type, label }) => isMeant(fragment, type, label))
        .map(({ name: type, label }) => ({
          text: type,
          label: type,
          hint: label,
          group: 'Event types',
        }));
      return fragment === '' ? [...families, ...types] : [...families.slice(0, 2), ...types];
    }
    case 'project':
      return choices.projects
        .filter((project) => isMeant(fragment, project.id, project.name))
        .map(({ id, name: title }) => ({
          text: written(id),
          label: id,
          hint: title === id ? '' : title,
          group: 'Projects',
        }));
    case 'env':
      return ranked(choices.environments, fragment, (each) => each).map((each) => ({
        text: written(each),
        label: each,
        hint: '',
        group: 'Environments',
      }));
    case 'actor':
      return [
        ...(isMeant(fragment, 'me')
          ? [{ text: 'me', label: 'me', hint: 'Your own activity', group: 'Actors' }]
          : []),
        ...ranked(choices.actors, fragment, ({ name: actor, note }) => `${actor} ${note}`).map(
          (each) => ({
            text: written(each.name),
            label: each.name,
            hint: each.note,
            group: 'Actors',
          }),
        ),
      ];
    case 'feature':
      return ranked(choices.features, fragment, (feature) => feature.name).map((feature) => ({
        text: written(feature.name),
        label: feature.name,
        hint: feature.project,
        group: 'Features',
      }));
    case 'id':
      return [];
    default:
      return ranked(
        offeredMoments.filter((each) => name !== 'on' || !/\dh$/.test(each)),
        fragment,
        (each) => each,
      ).map((each) => ({ text: each, label: each, hint: '', group: 'Time' }));
  }
}

/** Names that contain the typed text: usually the thing is meant, not the text. */
function thingOptions(fragment: string, minus: string, choices: Choices): Option[] {
  if (fragment.length < 2 || fragment.startsWith('"')) return [];
  const as = (name: QualifierName, values: readonly Option[], most: number) =>
    values.slice(0, most).map((each) => ({
      ...each,
      text: `${minus}${name}:${each.text}`,
      label: `${minus}${name}:${each.text}`,
    }));
  return [
    ...(choices.withoutFeature ? [] : as('feature', valueOptions('feature', fragment, choices), 4)),
    ...(choices.withoutProject ? [] : as('project', valueOptions('project', fragment, choices), 2)),
    ...as('actor', valueOptions('actor', fragment, choices), 3),
    ...as('type', valueOptions('type', fragment, choices), 3),
    ...as('env', valueOptions('env', fragment, choices), 2),
  ];
}

export function complete(source: string, caret: number, choices: Choices): Completion {
  const { from, to, text, name, minus } = fragmentAt(source, caret);
  if (name !== undefined) {
    return { from, to, options: valueOptions(name, text, choices).slice(0, maxOptions) };
  }
  const sign = minus ? '-' : '';
  const offered = qualifiers.filter(
    (each) =>
      each.name.startsWith(text.toLowerCase()) &&
      !(minus && ['on', 'after', 'before', 'id'].includes(each.name)) &&
      !(choices.withoutProject && each.name === 'project') &&
      !(choices.withoutFeature && each.name === 'feature'),
  );
  const options = [
    ...offered.map((each) => ({
      text: `${sign}${each.name}:`,
      label: `${sign}${each.name}:`,
      hint: each.words,
      group: 'Filter by',
    })),
    ...thingOptions(text, sign, choices),
  ];
  return { from, to, options: options.slice(0, maxOptions) };
}

/** The text and the position of the caret after an option was selected. */
export function applyOption(
  source: string,
  { from, to }: Pick<Completion, 'from' | 'to'>,
  text: string,
): { readonly text: string; readonly caret: number; readonly isComplete: boolean } {
  const isComplete = !text.endsWith(':');
  const rest = source.slice(to).replace(/^ /, '');
  const chosen = isComplete ? `${text} ` : text;
  return {
    text: `${source.slice(0, from)}${chosen}${rest}`,
    caret: from + chosen.length,
    isComplete,
  };
}

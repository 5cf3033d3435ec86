import { Stack, Text, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { actorName } from '../directory.ts';
import { ActorAvatar } from '../ui/avatar.tsx';
import { shortDay } from '../ui/dates.ts';
import { numberText } from '../ui/format.ts';
import { useDirectory } from '../use-directory.ts';
import classes from './events.module.css';
import { type QualifierName, setValue, toggleValue, valuesIn } from './query/grammar.ts';
import type { EventParameters } from './query/translate.ts';
import type { LogScope } from './scope.ts';
import { labelOf } from './sentence.ts';

interface FacetValue {
  readonly value: string;
  readonly label: string;
  readonly note?: string;
  readonly count?: number;
  /** The user or token whose avatar is shown. */
  readonly id?: number;
}

interface FacetProps {
  readonly title: string;
  readonly values: readonly FacetValue[];
  readonly chosen: readonly string[];
  readonly onToggle: (value: string) => void;
}

function Facet({ title, values, chosen, onToggle }: FacetProps) {
  if (values.length === 0) return null;
  return (
    <fieldset className={classes.facets}>
      <Text component="legend" className={classes.facetTitle}>
        {title}
      </Text>
      {values.map(({ value, label, note, count, id }) => (
        <UnstyledButton
          key={value}
          className={classes.facet}
          aria-pressed={chosen.includes(value)}
          onClick={() => onToggle(value)}
          title={note || label}
        >
          <span className={classes.facetName}>
            {id !== undefined && <ActorAvatar id={id} size={16} />} {label}
          </span>
          {count !== undefined && <span className="tabular">{numberText(count)}</span>}
        </UnstyledButton>
      ))}
    </fieldset>
  );
}

const typeText = (type: string) => (type.includes('*') ? type : labelOf(type));

const periods = [
  { value: '1h', label: 'Last hour' },
  { value: 'today', label: 'Today' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
];

/** Values shown of each kind; more would be too long to read. */
const shown = 8;

interface Props {
  readonly q: string;
  readonly scope: LogScope;
  /** What was found: its values are counted. */
  readonly parameters: EventParameters | undefined;
  /** Changes when newer events are shown. */
  readonly top: number;
  readonly onChange: (q: string) => void;
}

/** Values beside the list that build the query, with how often they occur in what it finds. */
export function Facets({ q, scope, parameters, top, onChange }: Props) {
  const counts = useQuery({
    queryKey: ['log facets', parameters, top],
    queryFn: ({ signal }) =>
      api('GET /api/admin/search/events/facets', {
        query: { ...parameters, limit: String(shown) },
        signal,
      }),
    enabled: parameters !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 'static',
    gcTime: 30_000,
  }).data;
  const directory = useDirectory();
  const facet = (name: QualifierName) => ({
    chosen: valuesIn(q, name),
    onToggle: (value: string) => onChange(toggleValue(q, name, value)),
  });
  /** The name of a value, and its id where that is something else. */
  const labelled = (name: QualifierName, value: string): Omit<FacetValue, 'value'> => {
    if (name === 'type') return { label: typeText(value) };
    const project = name === 'project' ? directory.project(value) : undefined;
    return project === undefined ? { label: value } : { label: project, note: value };
  };
  /** Selected values stay in the list, even if nothing matches them. */
  const withChosen = (values: readonly FacetValue[], name: QualifierName): FacetValue[] => {
    const known = new Set(values.map(({ value }) => value));
    const missing = valuesIn(q, name).filter((value) => !known.has(value));
    return [...missing.map((value) => ({ value, ...labelled(name, value) })), ...values];
  };
  const counted = (
    values: readonly { readonly value: string; readonly count: number }[] = [],
    name: QualifierName,
  ) =>
    withChosen(
      values.map(({ value, count }) => ({ value, count, ...labelled(name, value) })),
      name,
    );
  return (
    <Stack gap="md" component="aside" aria-label="Filters">
      <Facet title="Event type" {...facet('type')} values={counted(counts?.types, 'type')} />
      <Facet
        title="Actor"
        {...facet('actor')}
        values={withChosen(
          (counts?.creators ?? []).map(({ id, name, count }) => {
            const { name: label, note } = actorName(
              { createdBy: name, createdByUserId: id },
              directory,
            );
            // A link may have the address instead of the name.
            const value = valuesIn(q, 'actor').includes(name) ? name : label;
            return { value, label, note, count, id };
          }),
          'actor',
        )}
      />
      {scope.project === undefined && (
        <Facet
          title="Project"
          {...facet('project')}
          values={counted(counts?.projects, 'project')}
        />
      )}
      <Facet title="Environment" {...facet('env')} values={counted(counts?.environments, 'env')} />
      <Facet
        title="Time"
        values={periods}
        chosen={valuesIn(q, 'after')}
        onToggle={(value) =>
          onChange(setValue(q, 'after', valuesIn(q, 'after').includes(value) ? undefined : value))
        }
      />
      {counts && !counts.isComplete && (
        <Text size="xs" className="quiet" px={8}>
          Counts cover the latest {numberText(counts.counted)} events
          {counts.since !== null && ` (since ${shortDay(counts.since)})`}
        </Text>
      )}
    </Stack>
  );
}

import { Stack, Text, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../api.ts';
import { numberText } from '../ui/format.ts';
import classes from './events.module.css';
import { type QualifierName, setValue, toggleValue, valuesIn } from './query/grammar.ts';
import type { EventParameters } from './query/translate.ts';
import type { LogScope } from './scope.ts';
import { labelOf } from './sentence.ts';
import { dayText } from './times.ts';

interface FacetValue {
  readonly value: string;
  readonly label: string;
  readonly count?: number;
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
      {values.map(({ value, label, count }) => (
        <UnstyledButton
          key={value}
          className={classes.facet}
          aria-pressed={chosen.includes(value)}
          onClick={() => onToggle(value)}
          title={label}
        >
          <span className={classes.facetName}>{label}</span>
          {count !== undefined && <span className="tabular">{numberText(count)}</span>}
        </UnstyledButton>
      ))}
    </fieldset>
  );
}

const typeText = (type: string) => (type.includes('*') ? type : labelOf(type));

const periods = [
  { value: '1h', label: 'last hour' },
  { value: 'today', label: 'today' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
];

/** So many of each kind; a longer list would be read by nobody. */
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
  const facet = (name: QualifierName) => ({
    chosen: valuesIn(q, name),
    onToggle: (value: string) => onChange(toggleValue(q, name, value)),
  });
  /** What is chosen stays in the list, even where nothing more is found for it. */
  const withChosen = (values: readonly FacetValue[], name: QualifierName): FacetValue[] => {
    const known = new Set(values.map(({ value }) => value));
    const missing = valuesIn(q, name).filter((value) => !known.has(value));
    return [
      ...missing.map((value) => ({ value, label: name === 'type' ? typeText(value) : value })),
      ...values,
    ];
  };
  const plain = (values: readonly { readonly value: string; readonly count: number }[] = []) =>
    values.map(({ value, count }) => ({ value, label: value, count }));
  return (
    <Stack gap="md" component="aside" aria-label="Filters">
      <Facet
        title="What"
        {...facet('type')}
        values={withChosen(
          (counts?.types ?? []).map(({ value, count }) => ({
            value,
            label: typeText(value),
            count,
          })),
          'type',
        )}
      />
      <Facet
        title="Who"
        {...facet('actor')}
        values={withChosen(
          (counts?.creators ?? []).map(({ name, count }) => ({ value: name, label: name, count })),
          'actor',
        )}
      />
      {scope.project === undefined && (
        <Facet
          title="Project"
          {...facet('project')}
          values={withChosen(plain(counts?.projects), 'project')}
        />
      )}
      <Facet
        title="Environment"
        {...facet('env')}
        values={withChosen(plain(counts?.environments), 'env')}
      />
      <Facet
        title="When"
        values={periods}
        chosen={valuesIn(q, 'after')}
        onToggle={(value) =>
          onChange(setValue(q, 'after', valuesIn(q, 'after').includes(value) ? undefined : value))
        }
      />
      {counts && !counts.isComplete && (
        <Text size="xs" className="quiet" px={8}>
          Counted are the newest {numberText(counts.counted)} events
          {counts.since !== null && `, since ${dayText(counts.since)}`}.
        </Text>
      )}
    </Stack>
  );
}

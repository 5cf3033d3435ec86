import { Stack, Text, UnstyledButton } from '@mantine/core';
import classes from './events.module.css';
import { type QualifierName, setValue, toggleValue, valuesIn } from './query/grammar.ts';
import type { LogScope } from './scope.ts';
import { labelOf } from './sentence.ts';
import { numberText } from './times.ts';
import { useChoices } from './vocabulary.ts';

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

/** Those that most people look for, where nobody has counted. */
const usualTypes = [
  'feature-environment-enabled',
  'feature-environment-disabled',
  'feature-strategy-update',
  'feature-created',
  'feature-archived',
  'segment-updated',
  'user-created',
];

const periods = [
  { value: '1h', label: 'last hour' },
  { value: 'today', label: 'today' },
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
];

const shown = 8;

interface Props {
  readonly q: string;
  readonly scope: LogScope;
  readonly onChange: (q: string) => void;
}

/** Values beside the list that build the query. */
export function Facets({ q, scope, onChange }: Props) {
  const { projects, environments, people } = useChoices(scope);
  const facet = (name: QualifierName) => ({
    chosen: valuesIn(q, name),
    onToggle: (value: string) => onChange(toggleValue(q, name, value)),
  });
  const named = (values: readonly string[], name: QualifierName): FacetValue[] => {
    const chosen = valuesIn(q, name).filter((value) => !values.includes(value));
    return [...chosen, ...values.slice(0, shown)].map((value) => ({ value, label: value }));
  };
  return (
    <Stack gap="md" component="aside" aria-label="Filters">
      <Facet
        title="What"
        {...facet('type')}
        values={named(usualTypes, 'type').map(({ value }) => ({
          value,
          label: value.includes('*') ? value : labelOf(value),
        }))}
      />
      <Facet title="Who" {...facet('actor')} values={named(people, 'actor')} />
      {scope.project === undefined && (
        <Facet
          title="Project"
          {...facet('project')}
          values={named(
            projects.map(({ id }) => id),
            'project',
          )}
        />
      )}
      <Facet title="Environment" {...facet('env')} values={named(environments, 'env')} />
      <Facet
        title="When"
        values={periods}
        chosen={valuesIn(q, 'after')}
        onToggle={(value) =>
          onChange(setValue(q, 'after', valuesIn(q, 'after').includes(value) ? undefined : value))
        }
      />
    </Stack>
  );
}

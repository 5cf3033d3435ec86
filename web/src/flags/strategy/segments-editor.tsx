import { Collapse, MultiSelect, Stack, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { operands } from '../../../../src/modules/catalogue/context-fields/constraint-schema.ts';
import type { Segment } from '../feature/view.ts';
import classes from '../flags.module.css';
import { Sentence } from './sentence.tsx';
import { constraintPieces } from './strategy-sentence.ts';

const maxSegments = 20;

/** What a segment means: its constraints, and all values where there are many. */
function SegmentPreview({ segment }: { readonly segment: Segment }) {
  const [isOpen, setOpen] = useState(false);
  const long = segment.constraints.filter(
    ({ values, operator }) => values.length > 5 && operands[operator] !== undefined,
  );
  return (
    <div className={classes.segment}>
      <Text size="sm" fw={600}>
        {segment.name}
      </Text>
      {segment.description && (
        <Text size="xs" className="quiet">
          {segment.description}
        </Text>
      )}
      {segment.constraints.length === 0 && <Text size="sm">No constraints: matches everyone</Text>}
      {segment.constraints.map((constraint, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a constraint has no identity but its position
        <Text size="sm" component="div" key={place}>
          {place === 0 ? 'where ' : 'and '}
          <Sentence pieces={constraintPieces(constraint)} />
        </Text>
      ))}
      {long.length > 0 && (
        <>
          <UnstyledButton
            className={classes.differs}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? (
              <IconChevronDown size={14} aria-hidden />
            ) : (
              <IconChevronRight size={14} aria-hidden />
            )}
            {isOpen ? 'Hide values' : 'Show all values'}
          </UnstyledButton>
          <Collapse expanded={isOpen} transitionDuration={100}>
            {long.map(({ contextName, values }) => (
              <Text
                key={`${contextName} ${values.length}`}
                size="xs"
                className={classes.allValues}
                tabIndex={0}
              >
                <b>{contextName}</b>: {values.join(', ')}
              </Text>
            ))}
          </Collapse>
        </>
      )}
    </div>
  );
}

interface Props {
  readonly project: string;
  readonly chosen: readonly number[];
  readonly segments: ReadonlyMap<number, Segment>;
  readonly disabled: boolean;
  readonly onChange: (segments: number[]) => void;
}

/** The segments of a strategy: users must match every one. */
export function SegmentsEditor({ project, chosen, segments, disabled, onChange }: Props) {
  const usable = [...segments.values()].filter(
    (segment) => segment.project === undefined || segment.project === project,
  );
  const missing = chosen.filter((id) => !usable.some((segment) => segment.id === id));
  return (
    <Stack gap="xs">
      <MultiSelect
        aria-label="Segments"
        placeholder={
          usable.length === 0 ? 'No segments yet' : chosen.length === 0 ? 'Everyone' : ''
        }
        searchable
        disabled={disabled || (usable.length === 0 && chosen.length === 0)}
        maxValues={maxSegments}
        data={[
          ...usable.map(({ id, name }) => ({ value: String(id), label: name })),
          ...missing.map((id) => ({
            value: String(id),
            label: segments.get(id)?.name ?? `#${id}`,
          })),
        ]}
        value={chosen.map(String)}
        onChange={(ids) => onChange(ids.map(Number).sort((a, b) => a - b))}
      />
      {chosen.flatMap((id) => {
        const segment = segments.get(id);
        return segment ? [<SegmentPreview key={id} segment={segment} />] : [];
      })}
    </Stack>
  );
}

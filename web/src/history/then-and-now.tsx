import { Badge, Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Feature } from '../flags/feature/view.ts';
import { Sentence } from '../flags/strategy/sentence.tsx';
import { StrategyBody } from '../flags/strategy/strategy-body.tsx';
import {
  type Environment,
  headlinePieces,
  plain,
  type SegmentNames,
  type Strategy,
} from '../flags/strategy/strategy-sentence.ts';
import { VariantBar } from '../flags/strategy/variant-bar.tsx';
import { useProjectName } from '../project-name.tsx';
import { read } from '../queries.ts';
import { ProductionMark } from '../ui/production-mark.tsx';
import {
  type EnvironmentRow,
  environmentRows,
  type FieldRow,
  fieldRows,
  partsThatDiffer,
} from './feature-rows.ts';
import classes from './history.module.css';

type Side = 'Then' | 'Now';

/** The other moment does not have the strategy. */
const onlyWords: Readonly<Record<Side, string>> = { Then: 'Removed since', Now: 'Added since' };

interface StrategyProps {
  readonly strategy: Strategy;
  readonly other: Environment | undefined;
  readonly names: SegmentNames;
  readonly side: Side;
}

function StrategyThen({ strategy, other, names, side }: StrategyProps) {
  const parts = partsThatDiffer(strategy, other, names);
  const isMarked = parts?.has('constraints') || parts?.has('segments') || undefined;
  const headline = headlinePieces(strategy, names);
  const hasTitle = strategy.title && strategy.title !== plain(headline);
  return (
    <li className={classes.strategy}>
      <Text size="sm" fw={600} component="div" dir="auto">
        {hasTitle && <div data-marked={parts?.has('title') || undefined}>{strategy.title}</div>}
        <span data-marked={isMarked}>
          <Sentence pieces={headline} marksShare={parts?.has('rollout') ?? false} />
        </span>
      </Text>
      <Group gap={6}>
        {strategy.disabled && (
          <Badge
            color="gray"
            variant="light"
            tt="none"
            size="sm"
            data-marked={parts?.has('disabled') || undefined}
          >
            Disabled
          </Badge>
        )}
        {!parts && (
          <Badge color="yellow" variant="light" tt="none" size="sm">
            {onlyWords[side]}
          </Badge>
        )}
      </Group>
      <StrategyBody content={strategy} names={names} {...(parts && { marks: parts })} />
    </li>
  );
}

interface EnvironmentProps {
  readonly own: Environment | undefined;
  readonly other: Environment | undefined;
  readonly names: SegmentNames;
  readonly side: Side;
}

function EnvironmentThen({ own, other, names, side }: EnvironmentProps) {
  if (!own) {
    return (
      <Text size="sm" className="quiet">
        Not in this project
      </Text>
    );
  }
  return (
    <>
      <Text size="sm" component="div">
        <Badge
          color={own.enabled ? 'teal' : 'gray'}
          variant="light"
          tt="none"
          data-marked={(other && other.enabled !== own.enabled) || undefined}
        >
          {own.enabled ? 'Enabled' : 'Disabled'}
        </Badge>
      </Text>
      {own.strategies.length === 0 ? (
        <Text size="sm" className="quiet">
          No strategies
        </Text>
      ) : (
        <ul className={classes.strategies}>
          {own.strategies.map((strategy) => (
            <StrategyThen key={strategy.id} {...{ strategy, other, names, side }} />
          ))}
        </ul>
      )}
      {own.variants.length > 0 && (
        <div>
          <Text size="xs" className="quiet">
            Environment variants
          </Text>
          <VariantBar variants={own.variants} />
        </div>
      )}
    </>
  );
}

interface RowProps {
  readonly title: ReactNode;
  readonly label: string;
  readonly differs: boolean;
  readonly past: ReactNode;
  readonly present: ReactNode;
}

const Row = ({ title, label, differs, past, present }: RowProps) => (
  <section className={classes.row} aria-label={label} data-differs={differs || undefined}>
    <div className={classes.rowTitle}>
      {title}
      {differs && (
        <Badge color="yellow" variant="light" tt="none" size="sm">
          Differs
        </Badge>
      )}
    </div>
    <div className={classes.side}>
      <Text size="xs" className={`quiet ${classes.sideName}`}>
        Then
      </Text>
      {past}
    </div>
    <div className={classes.side}>
      <Text size="xs" className={`quiet ${classes.sideName}`}>
        Now
      </Text>
      {present}
    </div>
  </section>
);

const RowTitle = ({ children }: { readonly children: ReactNode }) => (
  <Title order={3} size="h6">
    {children}
  </Title>
);

function EnvironmentCompared({
  row,
  names,
}: {
  readonly row: EnvironmentRow;
  readonly names: SegmentNames;
}) {
  const { name, type, past, present, differs } = row;
  return (
    <Row
      label={name}
      differs={differs}
      title={
        <Group gap={6}>
          <RowTitle>{name}</RowTitle>
          {type === 'production' && <ProductionMark name={name} />}
        </Group>
      }
      past={<EnvironmentThen own={past} other={present} names={names} side="Then" />}
      present={<EnvironmentThen own={present} other={past} names={names} side="Now" />}
    />
  );
}

const FieldCompared = ({ name, past, present }: FieldRow) => (
  <Row
    label={name}
    differs={past !== present}
    title={<RowTitle>{name}</RowTitle>}
    past={<FieldText text={past} />}
    present={<FieldText text={present} />}
  />
);

const FieldText = ({ text }: { readonly text: string }) => (
  <Text size="sm" dir="auto">
    {text || <span className="quiet">None</span>}
  </Text>
);

interface Props {
  readonly past: Feature;
  readonly present: Feature;
  /** When the past was. */
  readonly moment: string;
  /** Whether only what differs is shown. */
  readonly isShort: boolean;
}

/** A feature at a moment beside the same feature now: its environments first, then everything else. */
export function ThenAndNow({ past, present, moment, isShort }: Props) {
  const segments = useQuery(read('GET /api/admin/segments', {})).data?.segments;
  const names = new Map(segments?.map(({ id, name }) => [id, name]));
  const projectName = useProjectName();
  const environments = environmentRows(past, present).filter(({ differs }) => differs || !isShort);
  const fields = fieldRows(past, present, projectName).filter(
    (row) => row.past !== row.present || !isShort,
  );
  if (environments.length + fields.length === 0) {
    return <Text size="sm">Nothing has changed since.</Text>;
  }
  return (
    <div>
      <div className={classes.head} aria-hidden>
        <span />
        <span>Then · {moment}</span>
        <span>Now</span>
      </div>
      {environments.map((row) => (
        <EnvironmentCompared key={row.name} row={row} names={names} />
      ))}
      {fields.map((row) => (
        <FieldCompared key={row.name} {...row} />
      ))}
    </div>
  );
}

import { Badge, Box, Group, Progress, Stack, Text } from '@mantine/core';
import classes from './flags.module.css';
import { constraintPieces, headline, type Piece, rolloutOf, type Strategy } from './sentence.ts';

const pieceKey = ({ kind, text }: Piece, index: number) => `${index} ${kind} ${text}`;

function Sentence({ pieces }: { readonly pieces: readonly Piece[] }) {
  return (
    <Group gap={6} component="span" display="inline-flex">
      {pieces.map((piece, index) => {
        const key = pieceKey(piece, index);
        if (piece.kind === 'name') return <b key={key}>{piece.text}</b>;
        if (piece.kind === 'value')
          return (
            <span key={key} className={classes.value}>
              {piece.text}
            </span>
          );
        return <span key={key}>{piece.text}</span>;
      })}
    </Group>
  );
}

interface Props {
  readonly strategy: Strategy;
  readonly segmentNames: ReadonlyMap<number, string>;
}

/** A strategy as sentences: whom it is on for, by which conditions, sticky by what, and its variants. */
export function StrategyCard({ strategy, segmentNames }: Props) {
  const { parameters, constraints, segments, variants, title, disabled, name } = strategy;
  const rollout = rolloutOf(strategy);
  const total = variants.reduce((sum, { weight }) => sum + weight, 0) || 1;
  return (
    <Box className={classes.strategy} data-disabled={disabled || undefined}>
      <Stack gap={6}>
        <Group justify="space-between" wrap="nowrap">
          <Text fw={600}>{headline(strategy)}</Text>
          {disabled && (
            <Badge color="gray" variant="light" tt="none">
              disabled
            </Badge>
          )}
        </Group>
        {title && (
          <Text size="sm" className="quiet">
            {title}
          </Text>
        )}
        {segments.length > 0 && (
          <Text size="sm">
            in {segments.length === 1 ? 'the segment' : 'all segments'}{' '}
            <b>{segments.map((id) => segmentNames.get(id) ?? `#${id}`).join(', ')}</b>
          </Text>
        )}
        {constraints.map((constraint, index) => (
          <Text size="sm" component="div" key={JSON.stringify(constraint)}>
            {index === 0 ? 'where ' : 'and '}
            <Sentence pieces={constraintPieces(constraint)} />
          </Text>
        ))}
        {name === 'flexibleRollout' && (
          <>
            <Progress value={rollout} size="sm" aria-label={`Rollout ${rollout} %`} />
            <Text size="xs" className="quiet">
              sticky by {parameters.stickiness ?? 'default'}
            </Text>
          </>
        )}
        {variants.length > 0 && (
          <Stack gap={4}>
            <Progress.Root size="sm" aria-label="Variants">
              {variants.map((variant, index) => (
                <Progress.Section
                  key={variant.name}
                  value={(100 * variant.weight) / total}
                  color={['teal', 'yellow', 'blue', 'grape', 'orange'][index % 5] as string}
                  aria-label={variant.name}
                />
              ))}
            </Progress.Root>
            <Text size="xs" className="quiet tabular">
              {variants.map((variant) => `${variant.name} ${variant.weight / 10} %`).join(' · ')}
            </Text>
          </Stack>
        )}
      </Stack>
    </Box>
  );
}

import { Group, SegmentedControl, Stack, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { plural } from './format.ts';
import classes from './json-diff.module.css';
import { type Folded, foldUnchanged, type Line, lineDiff, sideBySide } from './line-diff.ts';

const longLine = 240;

/** A line that is cut if it is very long. */
function LineText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  if (text.length <= longLine || isWhole) return text;
  return (
    <>
      {text.slice(0, longLine)}…{' '}
      <UnstyledButton className={classes.more} onClick={() => setWhole(true)}>
        Show {plural(text.length - longLine, 'more character')}
      </UnstyledButton>
    </>
  );
}

const signs = { same: ' ', removed: '−', added: '+' } as const;
const spoken = { same: '', removed: 'removed: ', added: 'added: ' } as const;

const LineRow = ({ line: { kind, text } }: { readonly line: Line }) => (
  <div className={classes.line} data-kind={kind}>
    <span aria-hidden>{signs[kind]}</span>
    <span>
      {kind !== 'same' && <VisuallyHidden>{spoken[kind]}</VisuallyHidden>}
      <LineText text={text} />
    </span>
  </div>
);

function Fold({ lines }: { readonly lines: readonly Line[] }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) {
    // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
    return lines.map((line, index) => <LineRow key={index} line={line} />);
  }
  return (
    <UnstyledButton className={classes.fold} onClick={() => setOpen(true)}>
      Show {plural(lines.length, 'unchanged line')}
    </UnstyledButton>
  );
}

const Unified = ({ folded }: { readonly folded: readonly Folded[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
  <div className={classes.code} tabIndex={0}>
    {folded.map((each, index) =>
      each.kind === 'fold' ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
        <Fold key={index} lines={each.lines} />
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
        <LineRow key={index} line={each} />
      ),
    )}
  </div>
);

function Split({ folded }: { readonly folded: readonly Folded[] }) {
  const blocks = useMemo(() => {
    const found: (readonly Line[] | { readonly fold: readonly Line[] })[] = [];
    let block: Line[] = [];
    for (const each of folded) {
      if (each.kind !== 'fold') block.push(each);
      else {
        found.push(block, { fold: each.lines });
        block = [];
      }
    }
    return [...found, block];
  }, [folded]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <div className={classes.code} tabIndex={0}>
      {blocks.map((block, at) =>
        'fold' in block ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
          <Fold key={at} lines={block.fold} />
        ) : (
          sideBySide(block).map(({ before, after, changed }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines never move
            <div key={`${at} ${index}`} className={classes.pair}>
              <div
                className={classes.half}
                data-kind={before === undefined ? 'none' : changed ? 'removed' : 'same'}
              >
                {changed && before !== undefined && (
                  <VisuallyHidden>{spoken.removed}</VisuallyHidden>
                )}
                <LineText text={before ?? ''} />
              </div>
              <div
                className={classes.half}
                data-kind={after === undefined ? 'none' : changed ? 'added' : 'same'}
              >
                {changed && after !== undefined && <VisuallyHidden>{spoken.added}</VisuallyHidden>}
                <LineText text={after ?? ''} />
              </div>
            </div>
          ))
        ),
      )}
    </div>
  );
}

interface Props {
  readonly before: unknown;
  readonly after: unknown;
}

const useFoldedDiff = ({ before, after }: Props) =>
  useMemo(() => foldUnchanged(lineDiff(before, after)), [before, after]);

/** A unified diff of two JSON values, with unchanged lines folded. */
export const UnifiedJsonDiff = (values: Props) => <Unified folded={useFoldedDiff(values)} />;

/** A unified or split diff. */
export function JsonDiff({ before, after }: Props) {
  const [view, setView] = useLocalStorage<'unified' | 'split'>({
    key: 'burgee-diff',
    defaultValue: 'unified',
    getInitialValueInEffect: false,
  });
  const folded = useFoldedDiff({ before, after });
  const hasBoth = before !== null && before !== undefined && after !== null && after !== undefined;
  return (
    <Stack gap={6}>
      {hasBoth && (
        <Group justify="flex-end">
          <SegmentedControl
            size="xs"
            aria-label="Diff view"
            value={view}
            onChange={(value) => setView(value as 'unified' | 'split')}
            data={[
              { value: 'unified', label: 'Unified' },
              { value: 'split', label: 'Split' },
            ]}
          />
        </Group>
      )}
      {hasBoth && view === 'split' ? <Split folded={folded} /> : <Unified folded={folded} />}
    </Stack>
  );
}

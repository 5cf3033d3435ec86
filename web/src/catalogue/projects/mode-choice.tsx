import { Choice } from '../../ui/choice.tsx';
import type { ListedProject } from './list-search.ts';
import { modes } from './words.ts';

type Mode = ListedProject['mode'];

interface Props {
  readonly mode: Mode;
  readonly onChange: (mode: Mode) => void;
  readonly disabled?: boolean;
  /** Whether a heading above says what it is. */
  readonly isTitled?: boolean;
}

/** Who sees a project and whose roles count in it, each explained in a sentence. */
export const ModeChoice = ({ mode, onChange, disabled = false, isTitled = false }: Props) => (
  <Choice
    {...(isTitled ? { 'aria-label': 'Project mode' } : { label: 'Project mode' })}
    value={mode}
    onChange={(value) => onChange(value as Mode)}
    options={modes.map((each) => ({ ...each, disabled }))}
  />
);

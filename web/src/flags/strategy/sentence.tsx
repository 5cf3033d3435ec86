import classes from '../flags.module.css';
import type { Piece } from './strategy-sentence.ts';

const keyOf = ({ kind, text }: Piece, index: number) => `${index} ${kind} ${text}`;

interface Props {
  readonly pieces: readonly Piece[];
  /** Whether the rollout stands out, because it differs elsewhere. */
  readonly marksShare?: boolean;
}

/**
 * A sentence: names in bold, values as chips. Chips need no commas for the eye; screen readers and those who copy the
 * sentence get them. `bdi` keeps names in Hebrew or Arabic from reordering the words around them.
 */
export const Sentence = ({ pieces, marksShare = false }: Props) => (
  <span className={classes.sentence}>
    {pieces.map((piece, index) => {
      const key = keyOf(piece, index);
      const space = index === 0 ? '' : ' ';
      if (piece.kind === 'comma') {
        return (
          <span key={key} className={classes.comma}>
            {piece.text}
          </span>
        );
      }
      if (piece.kind === 'name') {
        return (
          <span key={key}>
            {space}
            <b>
              <bdi>{piece.text}</bdi>
            </b>
          </span>
        );
      }
      if (piece.kind === 'value') {
        return (
          <span key={key}>
            {space}
            <bdi className={classes.value}>{piece.text}</bdi>
          </span>
        );
      }
      if (piece.kind === 'share') {
        return (
          <span key={key}>
            {space}
            <span className={classes.share} data-marked={marksShare || undefined}>
              {piece.text}
            </span>
          </span>
        );
      }
      return <span key={key}>{`${space}${piece.text}`}</span>;
    })}
  </span>
);

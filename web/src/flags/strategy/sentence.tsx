import classes from '../flags.module.css';
import type { Piece } from './strategy-sentence.ts';

const keyOf = ({ kind, text }: Piece, index: number) => `${index} ${kind} ${text}`;

interface Props {
  readonly pieces: readonly Piece[];
  /** Whether the share stands out, because it is another one elsewhere. */
  readonly marksShare?: boolean;
}

/** A sentence: names in bold, values as chips. A blank stands between the pieces, also for those who copy it. */
export const Sentence = ({ pieces, marksShare = false }: Props) => (
  <span className={classes.sentence}>
    {pieces.map((piece, index) => {
      const key = keyOf(piece, index);
      const space = index === 0 ? '' : ' ';
      if (piece.kind === 'name') {
        return (
          <span key={key}>
            {space}
            <b>{piece.text}</b>
          </span>
        );
      }
      if (piece.kind === 'value') {
        return (
          <span key={key}>
            {space}
            <span className={classes.value}>{piece.text}</span>
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

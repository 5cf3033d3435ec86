import { Fragment } from 'react';

const id = /\(([A-Z]+(?:_[A-Z]+)*)\)/;

/** A text in which ids in parentheses, such as those of permissions, are set as code. */
export const WithCode = ({ text }: { readonly text: string }) =>
  text.split(id).map((part, index) =>
    index % 2 === 0 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move.
      <Fragment key={index}>{part}</Fragment>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text never move.
      <Fragment key={index}>
        (<code>{part}</code>)
      </Fragment>
    ),
  );

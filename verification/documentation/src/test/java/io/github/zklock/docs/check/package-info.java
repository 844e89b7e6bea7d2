/** Checks of every document: links, snippets, commands and tables; and the words of documents, comments and messages. */
@NullMarked
package io.github.zklock.docs.check;

import org.jspecify.annotations.NullMarked;

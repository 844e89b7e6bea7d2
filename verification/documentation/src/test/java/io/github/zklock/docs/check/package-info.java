/** What is checked of every document: its links, its snippets, its commands and what it says of the build. */
@NullMarked
package io.github.zklock.docs.check;

import org.jspecify.annotations.NullMarked;

/** What {@code docs/faq.md} shows. */
@NullMarked
package io.github.zklock.docs.faq;

import org.jspecify.annotations.NullMarked;

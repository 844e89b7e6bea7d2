/** Beans that the documents show: bridges, containers, a second ensemble. Their behaviour is tested elsewhere. */
@NullMarked
package io.github.zklock.docs.guide.wiring;

import org.jspecify.annotations.NullMarked;

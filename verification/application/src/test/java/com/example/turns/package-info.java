/** The application that {@code docs/tutorial.md} builds. The page shows these files; a test compiles and runs the page. */
@NullMarked
package com.example.turns;

import org.jspecify.annotations.NullMarked;

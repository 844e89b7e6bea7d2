/** A place at which a demonstration can stop a shop between computing and writing. */
@NullMarked
package com.example.ordershop.gate;

import org.jspecify.annotations.NullMarked;

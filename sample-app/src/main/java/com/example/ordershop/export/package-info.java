/** Orders of a day as a file. */
@NullMarked
package com.example.ordershop.export;

import org.jspecify.annotations.NullMarked;

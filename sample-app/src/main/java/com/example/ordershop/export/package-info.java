/** Export of orders to files: an asynchronous endpoint. */
@NullMarked
package com.example.ordershop.export;

import org.jspecify.annotations.NullMarked;

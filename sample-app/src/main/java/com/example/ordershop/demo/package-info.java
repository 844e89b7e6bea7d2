/** The demonstration: shops in processes of their own, which lose updates, are guarded, are paused and killed. */
@NullMarked
package com.example.ordershop.demo;

import org.jspecify.annotations.NullMarked;

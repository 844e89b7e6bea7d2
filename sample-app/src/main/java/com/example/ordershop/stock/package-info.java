/** Products and their stock: a lock by a handle, and Spring Data JPA. */
@NullMarked
package com.example.ordershop.stock;

import org.jspecify.annotations.NullMarked;

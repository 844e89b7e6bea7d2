/** The code of the documents that stands in an application of Spring Boot, and the tests that they show. */
@NullMarked
package io.github.zklock.docs.guide.shop;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
/**
 * The verbs API: what applications compile against. Objects with identity are interfaces, values
 * are records, choices are enums whose {@code code()} is the value of the C headers. Every method
 * that stands for a function of libibverbs says so with {@link io.queuepair.verbs.Verb}. No
 * implementation lives here; the package uses the JDK only.
 *
 * <p>Null where a description does not offer it is a mistake of the program. Most calls refuse it,
 * with an errno of the verb or a {@link NullPointerException}; of a list of requests, those before
 * it are posted.
 */
@NullMarked
package io.queuepair.verbs;

import org.jspecify.annotations.NullMarked;

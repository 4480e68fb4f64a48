/**
 * The verbs API: what applications compile against. Objects with identity are interfaces, values
 * are records, choices are enums whose {@code code()} is the value of the C headers. Every method
 * that stands for a function of libibverbs says so with {@link io.queuepair.verbs.Verb}. No
 * implementation lives here; the package uses the JDK only.
 */
package io.queuepair.verbs;

package io.queuepair.tools.shrink;

/** One way in which a specimen can become smaller, or simpler. */
@FunctionalInterface
interface Reduction {
  /**
   * Reduces a specimen.
   *
   * @param specimen which fails
   * @param trial says what else does
   * @return one that fails; the same if none smaller was found
   */
  Specimen apply(Specimen specimen, Trial trial);
}

# The command with the laboratory, for simulate-job.yaml: mvn -B -Dquick -DskipTests -pl lab -am package && docker build -f deploy/simulate.Dockerfile -t queuepair-lab .
FROM eclipse-temurin:21-jre
COPY lab/target/queuepair-lab.jar /opt/queuepair.jar
ENTRYPOINT ["java", "-jar", "/opt/queuepair.jar"]

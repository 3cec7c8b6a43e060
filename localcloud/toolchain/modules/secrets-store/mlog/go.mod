module monis.app/mlog

go 1.26.4

require k8s.io/klog/v2 v2.140.0

require github.com/go-logr/logr v1.4.4 // indirect
